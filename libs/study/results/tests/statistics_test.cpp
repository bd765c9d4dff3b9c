// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/statistics.hpp"

#include "ebb/results/run_order.hpp"

#include <gtest/gtest.h>

#include <array>

namespace ebb::results {
namespace {

// Two-sided 95 % quantiles of Student's distribution: 12.706 for one degree of freedom, 2.776 for
// four, 1.984 for ninety-nine (any table).
TEST(Statistics, ConfidenceIntervalAfterStudent) {
  const std::array<double, 2> two = {1, 3};
  const auto pair = estimate(two).value();
  EXPECT_DOUBLE_EQ(pair.mean, 2);
  EXPECT_NEAR(*pair.half_width, 12.706, 1e-3);  // standard error 1
  EXPECT_EQ(pair.n, 2U);

  const std::array<double, 5> five = {1, 2, 3, 4, 5};
  EXPECT_NEAR(*estimate(five)->half_width, 2.776 * 0.70711, 1e-3);

  std::vector<double> hundred;
  for (int i = 0; i < 100; ++i) hundred.push_back(i % 2 == 0 ? 1 : -1);
  EXPECT_NEAR(*estimate(hundred)->half_width, 1.984 * 0.100504, 1e-4);
}

TEST(Statistics, OneValueHasNoInterval) {
  const std::array<double, 1> one = {4};
  EXPECT_EQ(estimate(one)->mean, 4);
  EXPECT_FALSE(estimate(one)->half_width);
  EXPECT_EQ(estimate(one)->low(), 4);
  EXPECT_FALSE(estimate(std::span<const double>()));
}

TEST(Statistics, GroupsDifferOnlyInSeed) {
  std::vector<results::Run> runs(5);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].seed = 10 - i;
    runs[i].setup = i == 1 ? "other" : "same";
    runs[i].metrics = {{"m", "1", static_cast<double>(i)}};
  }
  runs[3].status = Status::failed;
  runs[4].metrics.clear();
  const auto found = groups(runs);
  ASSERT_EQ(found.size(), 2U);
  ASSERT_EQ(found[0].runs.size(), 3U);
  EXPECT_EQ(found[0].first().seed, 6U);
  const auto mean = estimate(found[0], "m").value();
  EXPECT_EQ(mean.n, 2U) << "one has failed, one lacks the metric";
  EXPECT_DOUBLE_EQ(mean.mean, 1);
  EXPECT_FALSE(estimate(found[0], "none"));
}

TEST(RunOrder, NumbersInTextAreNumbers) {
  EXPECT_TRUE(natural_less("5%", "15%"));
  EXPECT_TRUE(natural_less("a9b", "a10"));
  EXPECT_TRUE(natural_less("0.5", "0.50"));
  EXPECT_TRUE(natural_less("7", "x"));
  EXPECT_TRUE(natural_less("", "0"));
  EXPECT_FALSE(natural_less("15%", "15%"));
  EXPECT_TRUE(natural_less("007", "7") != natural_less("7", "007"));
}

}  // namespace
}  // namespace ebb::results
