// SPDX-License-Identifier: Apache-2.0
#include "ebb/ospf/drain_cost.hpp"

#include "networks.hpp"

#include <gtest/gtest.h>

namespace ebb::ospf {
namespace {

std::string refusal(const LinkState& network, std::size_t link) {
  const auto costs = drain_costs(network, link);
  return costs ? fmt::format("costs {} and {}", costs->a, costs->b) : costs.error()[0].message;
}

DrainCosts costs_of(const LinkState& network, std::size_t link) {
  const auto costs = drain_costs(network, link);
  EXPECT_TRUE(costs) << to_string(costs.error());
  return costs.value_or(DrainCosts{});
}

// Routers 0 and 1 are leaves, 2 and 3 spines. The other way between a leaf and its spine costs 30,
// and any cost between 10 and that moves what only passes.
TEST(DrainCost, OfALeafSpineIsJustAboveTheOldOne) {
  const LinkState network = make_network(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  for (std::size_t link = 0; link < 4; ++link)
    EXPECT_EQ(costs_of(network, link), (DrainCosts{11, 11})) << link;
  for (const Cost cost : {11U, 15U, 29U}) {
    EXPECT_TRUE(is_drained(network, 0, {cost, cost})) << cost;
    EXPECT_EQ(some_loop(network, 0, {cost, cost}), "") << cost;
  }
  EXPECT_FALSE(is_drained(network, 0, {10, 10})) << "the same cost leaves two next hops";
}

// The usual way turns the spine towards a leaf that may still send back.
TEST(DrainCost, OfALeafSpineIsNotTheHighestThereIs) {
  const LinkState network = make_network(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  EXPECT_NE(some_loop(network, 0, {kMostCost, kMostCost}), "");
}

TEST(DrainCost, OfEachEndIsItsOwn) {
  LinkState network = make_network(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
  network.links[0].b.cost = 12;  // the spine's end: twice as many paths come this way already
  network.links[3].a.cost = 14;  // from the other leaf to the other spine
  const DrainCosts costs = costs_of(network, 0);
  EXPECT_NE(costs.a, costs.b);
  EXPECT_TRUE(is_drained(network, 0, costs));
  EXPECT_FALSE(is_drained(network, 0, {costs.a - 1, costs.b}));
  EXPECT_FALSE(is_drained(network, 0, {costs.a, costs.b - 1}));
  EXPECT_EQ(some_loop(network, 0, costs), "");
}

TEST(DrainCost, OfALinkThatNobodyUsesIsAsItWas) {
  LinkState network = make_network(3, {{0, 1}, {1, 2}, {0, 2}});
  EXPECT_EQ(costs_of(network, 0), (DrainCosts{10, 10})) << "only its ends use it";
}

// One of two equal links is empty as soon as it costs more.
TEST(DrainCost, OfAParallelLinkIsOneMore) {
  const LinkState network = make_network(3, {{0, 1}, {0, 1}, {1, 2}});
  EXPECT_EQ(costs_of(network, 0), (DrainCosts{11, 11}));
}

TEST(DrainCost, OfARingOfFourIsThatOfALeafSpine) {
  EXPECT_EQ(costs_of(make_ring(4), 0), (DrainCosts{11, 11}));
}

TEST(DrainCost, OfARingOfFiveCoversTheLongerWay) {
  EXPECT_EQ(costs_of(make_ring(5), 0), (DrainCosts{21, 21}));
}

// Two routers that both turn round meet each other where one has and the other has not.
TEST(DrainCost, OfALongerRingThereIsNone) {
  const LinkState ring = make_ring(6);
  EXPECT_EQ(refusal(ring, 0), "frames to r0 may go round between r2, r3 while routers update");
  for (Cost a = 10; a <= 70; ++a) {
    for (Cost b = 10; b <= 70; ++b) {
      if (!is_drained(ring, 0, {a, b})) continue;
      EXPECT_NE(some_loop(ring, 0, {a, b}), "") << a << ", " << b;
    }
  }
}

// With the new cost r0 turns to r2 for a prefix that r1 and r2 lead to, by way of r3, which may
// still send it to r1 by way of r0. No frame to a single router goes round.
TEST(DrainCost, MustDoForAPrefixThatSeveralRoutersLeadTo) {
  LinkState ring = make_ring(4);
  constexpr std::array<Cost, 4> kCosts{1, 8, 7, 1};
  for (std::size_t link = 0; link < kCosts.size(); ++link)
    ring.links[link].a.cost = ring.links[link].b.cost = kCosts[link];
  EXPECT_TRUE(drain_costs(ring, 0)) << refusal(ring, 0);
  ring.prefixes = {{"192.0.2.0/24", {{1, 1}, {2, 1}}}};
  EXPECT_EQ(refusal(ring, 0),
            "frames to 192.0.2.0/24 may go round between r0, r3 while routers update");
}

TEST(DrainCost, OfABridgeThereIsNone) {
  EXPECT_EQ(refusal(make_network(3, {{0, 1}, {1, 2}}), 0), "without the link r0 does not reach r1");
}

TEST(DrainCost, IsNotMoreThanOspfKnows) {
  LinkState network = make_network(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  for (const std::size_t link : {1U, 2U})
    network.links[link].a.cost = network.links[link].b.cost = kMostCost;
  EXPECT_EQ(refusal(network, 0), "a cost of 131061 would be needed, and 65535 is the most");
}

}  // namespace
}  // namespace ebb::ospf
