// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/exact_sleepable.hpp"

#include "ebb/forwarding/table.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>

namespace ebb::forwarding {
namespace {

struct Tried {
  std::string family;
  ParameterTexts parameters;
};

struct ANetworkWithTables {
  explicit ANetworkWithTables(const Tried& tried)
      : graph(*topology::build(tried.family, tried.parameters,
                               topology::RateTable{gigabits_per_second(1)})),
        plan(*AddressPlan::make(graph)),
        tables(*fabric_tables(graph, plan)) {}
  topology::Graph graph;
  AddressPlan plan;
  std::vector<Table> tables;
};

class ExactSearch : public testing::TestWithParam<Tried>, protected ANetworkWithTables {
 protected:
  ExactSearch() : ANetworkWithTables(GetParam()) {}
};

// Every set of links, smaller ones first: it may sleep if all hosts reach each other, and every
// part of it may.
TEST_P(ExactSearch, FindsTheLargestSetThatThereIs) {
  std::vector<topology::LinkId> between;
  for (std::uint32_t link = 0; link < graph.link_count(); ++link)
    if (graph.connects_switches(topology::LinkId{link})) between.push_back(topology::LinkId{link});
  ASSERT_LE(between.size(), 12U);
  const TableWalker walker(graph, plan, tables);
  std::vector<bool> may(std::size_t{1} << between.size());
  int most = 0;
  for (std::uint32_t set = 0; set < may.size(); ++set) {
    std::vector<bool> asleep(graph.link_count());
    bool parts_may = true;
    for (std::size_t i = 0; i < between.size(); ++i) {
      if ((set >> i & 1U) == 0) continue;
      asleep[index(between[i])] = true;
      parts_may = parts_may && may[set & ~(1U << i)];
    }
    may[set] = parts_may && walker.all_reachable(asleep);
    if (may[set]) most = std::max(most, std::popcount(set));
  }
  const ExactSleepable best = exact_sleepable(walker, sleep_order(graph, tables), 1'000'000);
  EXPECT_TRUE(best.is_exact);
  EXPECT_EQ(best.count, static_cast<std::uint32_t>(most));
  EXPECT_EQ(std::count(best.may_sleep.begin(), best.may_sleep.end(), true), most);
  EXPECT_TRUE(walker.all_reachable(best.may_sleep));
}

INSTANTIATE_TEST_SUITE_P(
    Small, ExactSearch,
    testing::Values(Tried{"fbfly", {{"hosts", "1"}, {"dims", "2x2"}}},
                    Tried{"fbfly", {{"hosts", "1"}, {"dims", "3x2"}}},
                    Tried{"complete", {{"switches", "5"}, {"hosts", "1"}}},
                    Tried{"mesh", {{"hosts", "1"}, {"dims", "3x3"}}},
                    Tried{"clos", {{"ports", "4"}, {"levels", "2"}, {"hosts", "4"}}},
                    Tried{"dragonfly", {{"p", "1"}, {"a", "2"}, {"h", "1"}, {"g", "3"}}},
                    Tried{"irregular", {{"switches", "6"}, {"degree", "3"}, {"hosts", "1"}}}),
    [](const auto& one) { return one.param.family + std::to_string(one.index); });

TEST(ExactSearchLimits, EndWithTheBestSoFar) {
  const ANetworkWithTables made({"fbfly", {{"hosts", "1"}, {"dims", "3x3"}}});
  const TableWalker walker(made.graph, made.plan, made.tables);
  const ExactSleepable best = exact_sleepable(walker, sleep_order(made.graph, made.tables), 18);
  EXPECT_FALSE(best.is_exact);
  EXPECT_EQ(best.count, 6U) << "the first set that it comes to";
}

}  // namespace
}  // namespace ebb::forwarding
