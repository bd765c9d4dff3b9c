// SPDX-License-Identifier: Apache-2.0
#include "ebb/results/statistics.hpp"

#include "ebb/results/run.hpp"

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

TEST(LoadOfARun, IsThatOfItsInjectionOrItsWorkload) {
  results::Run run;
  run.parameters = {{"policy", "epoch"}};
  EXPECT_FALSE(load_of(run));
  run.parameters = {{"policy", "epoch"}, {"traffic.injection.load", "5%"}};
  EXPECT_EQ(load_of(run), (Parameter{"traffic.injection.load", "5%"}));
  run.parameters = {{"traffic.load", "6%"}, {"traffic.workload", "search"}};
  EXPECT_EQ(load_of(run), (Parameter{"traffic.load", "6%"}));
}

Run measured(std::uint64_t seed, double saturated, double power) {
  Run run;
  run.setup = "one";
  run.seed = seed;
  run.parameters = {{"traffic.injection.load", "5%"}, {"policy.target", "50%"}};
  run.metrics = {{"traffic.saturated", "1", saturated}, {"power.relative", "1", power}};
  return run;
}

TEST(SetupEstimates, AreMeansOverSeeds) {
  std::vector<results::Run> runs = {measured(1, 0, 0.4), measured(2, 1, 0.6)};
  runs[0].metrics.push_back({"traffic.too_short", "1", 1});
  runs[1].metrics.push_back({"traffic.too_short", "1", 0});
  const auto setups = setup_estimates(runs);
  ASSERT_EQ(setups.size(), 1U);
  EXPECT_EQ(setups[0].saturated, 1U);
  EXPECT_EQ(setups[0].too_short, 1U);
  EXPECT_DOUBLE_EQ(setups[0].relative_power->mean, 0.5);
  EXPECT_TRUE(setups[0].relative_power->half_width);
  EXPECT_FALSE(setups[0].packet_latency);
}

TEST(Columns, AreTheLastWordsWhereTheseDiffer) {
  std::vector<results::Run> runs = {measured(1, 0, 0.4), measured(2, 0, 0.4)};
  runs[1].parameters = {{"traffic.load", "5%"}};
  const auto keys = parameter_keys(runs);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"traffic.injection.load", "policy.target", "traffic.load"}));
  EXPECT_EQ(column_titles(keys),
            (std::vector<std::string>{"traffic.injection.load", "target", "traffic.load"}));
}

TEST(Differences, AreThoseOfConfigurationAndMetrics) {
  results::Run a = measured(1, 0, 0.4);
  a.version = "1";
  a.configuration = "seed: 1\nrouting: minimal\n";
  results::Run b = a;
  EXPECT_TRUE(configuration_differences(a, b).empty());
  EXPECT_TRUE(metric_differences(a, b).empty());
  b.version = "2";
  b.configuration = "seed: 1\nrouting: valiant\nservices: 2\n";
  b.metrics = {{"power.relative", "1", 0.5}, {"packet_latency.mean", "ps", 7}};
  EXPECT_EQ(
      configuration_differences(a, b),
      (std::vector<ConfigurationDifference>{
          {"(version)", "1", "2"}, {"routing", "minimal", "valiant"}, {"services", "", "2"}}));
  EXPECT_EQ(metric_differences(a, b),
            (std::vector<MetricDifference>{{"traffic.saturated", "1", 0.0, std::nullopt},
                                           {"power.relative", "1", 0.4, 0.5},
                                           {"packet_latency.mean", "ps", std::nullopt, 7.0}}));
}

}  // namespace
}  // namespace ebb::results
