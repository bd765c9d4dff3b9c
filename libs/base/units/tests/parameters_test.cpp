// SPDX-License-Identifier: Apache-2.0
#include "ebb/units/parameters.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace ebb {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

const std::vector<Parameter> kTable = {
    {"hosts", Range<std::int64_t>{1, 100}, std::nullopt, "hosts per switch"},
    {"dims", WholeList{1, 20}, "4", "switches along each dimension"},
    {"target", Range<Ratio>{Ratio(0, 1), Ratio(1, 1)}, "50%", "utilisation"},
    {"epoch", Range<Duration>{nanoseconds(1), hours(1)}, "10us", "time between decisions"},
    {"wake", Range<DataSize>{bytes(1), bytes(1'000'000)}, "64B", "queue that wakes"},
    {"bandwidth", Range<DataRate>{gigabits_per_second(1), gigabits_per_second(100)}, "5GB/s",
     "of a bus"},
    {"channels", Choice{{"paired", "independent"}}, "paired", "both directions or each"}};

TEST(Parameters, FillsInDefaultsAndReadsEveryKind) {
  const auto given = Parameters::resolve(
      kTable, {{"hosts", "8"}, {"dims", "3, 4x5"}, {"channels", "independent"}});
  ASSERT_TRUE(given);
  EXPECT_EQ(given->integer("hosts"), 8);
  EXPECT_EQ(given->list("dims"), (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(given->ratio("target"), Ratio(1, 2));
  EXPECT_EQ(given->duration("epoch"), Duration(10'000'000));
  EXPECT_EQ(given->size("wake"), bytes(64));
  EXPECT_EQ(given->rate("bandwidth"), gigabits_per_second(40));
  EXPECT_EQ(given->choice("channels"), "independent");
}

TEST(Parameters, TextsResolveToTheSame) {
  const auto given =
      Parameters::resolve(kTable, {{"hosts", "8"}, {"dims", "3,4"}, {"target", "75%"}});
  ASSERT_TRUE(given);
  const auto again = Parameters::resolve(kTable, given->texts());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->texts(), given->texts());
  EXPECT_EQ(again->list("dims"), given->list("dims"));
}

TEST(Parameters, ReportsEveryMistake) {
  const auto given = Parameters::resolve(kTable, {{"hots", "8"},
                                                  {"dims", "3x21"},
                                                  {"target", "150%"},
                                                  {"epoch", "10"},
                                                  {"wake", "0B"},
                                                  {"bandwidth", "40"},
                                                  {"channels", "coupled"},
                                                  {"dims", "y"}});
  ASSERT_FALSE(given);
  std::vector<std::string> messages;
  for (const Error& error : given.error()) messages.push_back(error.message);
  EXPECT_EQ(messages, (std::vector<std::string>{
                          "unknown parameter 'hots'; did you mean 'hosts'?",
                          "'dims' is given twice", "missing parameter 'hosts' (hosts per switch)",
                          "'dims' must be between 1 and 20, got 21",
                          "'target' must be between 0 and 1, got 1.5",
                          "'epoch': '10' has no unit; a time is written like '10us'",
                          "'wake' must be between 1B and 1MB, got 0B",
                          "'bandwidth': '40' has no unit; a data rate is written like '10Gb/s'",
                          "'channels': unknown word 'coupled'; valid: paired, independent"}));
}

TEST(ParametersDeathTest, AskingForWhatWasNotDeclaredIsABug) {
  const auto given = Parameters::resolve(kTable, {{"hosts", "8"}});
  EXPECT_DEATH((void)given->integer("ports"), "not declared");
  EXPECT_DEATH((void)given->ratio("hosts"), "another kind");
}

}  // namespace
}  // namespace ebb
