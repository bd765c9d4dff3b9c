// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ebb::netsim {
namespace {

Histogram of(const std::vector<std::int64_t>& values) {
  Histogram histogram;
  for (const std::int64_t value : values) histogram.add(Duration(value));
  return histogram;
}

// Any magnitude from 0 to 2^63 - 1, each as likely.
std::vector<std::int64_t> any_values() {
  return *rc::gen::container<std::vector<std::int64_t>>(
      rc::gen::map(rc::gen::pair(rc::gen::inRange(0, 64), rc::gen::arbitrary<std::uint64_t>()),
                   [](const auto& pair) {
                     return static_cast<std::int64_t>((pair.second >> 1U) >> pair.first);
                   }));
}

TEST(AHistogram, OfNothingIsZeroEverywhere) {
  const Histogram empty;
  EXPECT_EQ(empty.count(), 0U);
  EXPECT_TRUE(empty.sum_ps() == 0);
  EXPECT_EQ(empty.mean(), Duration{});
  EXPECT_EQ(empty.least(), Duration{});
  EXPECT_EQ(empty.most(), Duration{});
  EXPECT_EQ(empty.quantile({1, 2}), Duration{});
}

TEST(AHistogram, KeepsCountMeanLeastAndMostExactly) {
  const Histogram three = of({1'000'003, 5, 99});
  EXPECT_EQ(three.count(), 3U);
  EXPECT_TRUE(three.sum_ps() == 1'000'107);
  EXPECT_EQ(three.mean(), Duration(333'369));
  EXPECT_EQ(three.least(), Duration(5));
  EXPECT_EQ(three.most(), Duration(1'000'003));
}

TEST(AHistogram, TellsValuesBelow128Apart) {
  std::vector<std::int64_t> values(128);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
  const Histogram histogram = of(values);
  for (std::int64_t i = 0; i < 128; ++i) {
    EXPECT_EQ(histogram.quantile({i + 1, 128}), Duration(i));
  }
}

// From 128 on a bucket is 2 wide, from 256 on 4, from 2^k on 2^(k-6).
TEST(AHistogram, GivesTheUpperEndOfABucket) {
  const auto upper_end = [](std::int64_t value) {
    Histogram histogram = of({value, std::numeric_limits<std::int64_t>::max()});
    return histogram.quantile({1, 2}).count();
  };
  EXPECT_EQ(upper_end(127), 127);
  EXPECT_EQ(upper_end(128), 129);
  EXPECT_EQ(upper_end(129), 129);
  EXPECT_EQ(upper_end(130), 131);
  EXPECT_EQ(upper_end(255), 255);
  EXPECT_EQ(upper_end(256), 259);
  EXPECT_EQ(upper_end(std::int64_t{1} << 40),
            (std::int64_t{1} << 40) + (std::int64_t{1} << 34) - 1);
  EXPECT_EQ(upper_end(std::numeric_limits<std::int64_t>::max()),
            std::numeric_limits<std::int64_t>::max());
}

TEST(AHistogram, NeverExceedsTheMostInAQuantile) {
  EXPECT_EQ(of({128}).quantile({1, 2}), Duration(128));
  EXPECT_EQ(of({128, 128}).quantile({1, 1}), Duration(128));
}

RC_GTEST_PROP(AHistogram, GivesQuantilesAtMostA64thAboveTheTrueOnes, ()) {
  std::vector<std::int64_t> values = any_values();
  RC_PRE(!values.empty());
  const auto percent = *rc::gen::inRange<std::int64_t>(0, 101);
  const Histogram histogram = of(values);
  std::sort(values.begin(), values.end());
  // The ceil(q n)-th smallest.
  const auto n = static_cast<std::int64_t>(values.size());
  const std::int64_t rank = std::max<std::int64_t>(1, (percent * n + 99) / 100);
  const std::int64_t exact = values[static_cast<std::size_t>(rank - 1)];
  const std::int64_t given = histogram.quantile({percent, 100}).count();
  RC_ASSERT(given >= exact);
  RC_ASSERT(given - exact <= exact / 64);
}

RC_GTEST_PROP(AHistogram, OfPartsAddsUpToThatOfTheWhole, ()) {
  const std::vector<std::int64_t> values = any_values();
  const auto cut = *rc::gen::inRange<std::size_t>(0, values.size() + 1);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(cut);
  const Histogram front = of({values.begin(), middle});
  const Histogram back = of({middle, values.end()});
  Histogram front_first = front;
  front_first += back;
  Histogram back_first = back;
  back_first += front;
  RC_ASSERT(front_first == of(values));
  RC_ASSERT(back_first == of(values));
}

}  // namespace
}  // namespace ebb::netsim
