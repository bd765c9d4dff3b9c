// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_regulation.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ebb::controller {
namespace {

constexpr std::int64_t kMega = 1'000'000;

// Three switches with two hosts each and three links a pair.
class LinksOfTrees : public testing::Test {
 protected:
  LinkRegulation of(std::vector<PairAmount> pairs, const RegulateLinks& by) const {
    return *regulate_links(graph, plan, network, pairs, by);
  }
  std::vector<int> open(const LinkRegulation& regulation) const {
    std::vector<int> counts;
    for (const auto& use : regulation.lags) counts.push_back(use.open);
    return counts;
  }
  topology::Graph graph =
      *topology::build("complete", {{"switches", "3"}, {"hosts", "2"}, {"parallel", "3"}},
                       {megabits_per_second(1), megabits_per_second(10), megabits_per_second(100)});
  forwarding::AddressPlan plan = *forwarding::AddressPlan::make(graph);
  forwarding::VlanNetwork network = *forwarding::vlan_network(graph);
};

TEST_F(LinksOfTrees, StayOpenAsTheBusierDirectionNeeds) {
  const auto regulation = of({{0, 2, bytes(90 * kMega)},
                              {1, 3, bytes(20 * kMega)},
                              {2, 0, bytes(250 * kMega)},
                              {4, 5, bytes(900 * kMega)}},  // on one switch
                             {.peak = bytes(100 * kMega)});
  EXPECT_EQ(open(regulation), (std::vector{3, 1, 1}));
  EXPECT_EQ(regulation.lags[0].amount, bytes(250 * kMega));
  EXPECT_EQ(std::count(regulation.open.begin(), regulation.open.end(), false), 4);
  for (const auto& lag : network.lags.all()) EXPECT_TRUE(regulation.open[index(lag.links[0])]);
}

TEST_F(LinksOfTrees, CarryAsMuchAsTheBusiestDidUnlessAPeakIsGiven) {
  const auto regulation = of({{0, 2, bytes(300 * kMega)}, {0, 4, bytes(150 * kMega)}}, {});
  EXPECT_EQ(regulation.peak, bytes(100 * kMega));
  EXPECT_EQ(open(regulation), (std::vector{3, 2, 1}));
}

TEST_F(LinksOfTrees, AreSlowedWhereOneIsEnough) {
  const auto regulation = of({{0, 2, bytes(5 * kMega)}, {2, 4, bytes(200 * kMega)}},
                             {.peak = bytes(100 * kMega), .slow = true});
  const auto step = [&](std::uint32_t b) {
    return policy::index(regulation.step[index(network.lags[b].links[0])]);
  };
  EXPECT_EQ(step(0), 1);
  EXPECT_EQ(step(1), 0);
  EXPECT_EQ(step(2), 2);
}

TEST_F(LinksOfTrees, ThatCarryMoreThanThePeakAreNamed) {
  const auto regulation = of({{0, 2, bytes(301 * kMega)}}, {.peak = bytes(100 * kMega)});
  EXPECT_TRUE(regulation.lags[0].beyond);
  EXPECT_FALSE(regulation.lags[1].beyond);
  EXPECT_EQ(regulation.lags[0].open, 3);
}

}  // namespace
}  // namespace ebb::controller
