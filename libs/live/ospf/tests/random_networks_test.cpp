// SPDX-License-Identifier: Apache-2.0
//
// Random networks of few routers: what drain_costs() says against everything that can be tried.
#include "networks.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>

namespace ebb::ospf {
namespace {

constexpr Cost kMostOld = 6;

// A tree and some links more, so that most links have a way around; costs differ by direction.
LinkState random_network(std::mt19937& random) {
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  const std::size_t routers = 3 + below(3);
  Pairs links;
  for (Router router = 1; router < routers; ++router) links.emplace_back(router, below(router));
  for (std::size_t more = 1 + below(4); more > 0; --more) {
    const Router a = below(routers);
    const Router b = below(routers);
    if (a != b) links.emplace_back(a, b);
  }
  LinkState made = make_network(routers, links);
  for (Link& link : made.links) {
    link.a.cost = 1 + static_cast<Cost>(below(kMostOld));
    link.b.cost = 1 + static_cast<Cost>(below(kMostOld));
  }
  return made;
}

LinkState random_ring(std::mt19937& random, std::size_t routers) {
  LinkState network = make_ring(routers);
  for (Link& link : network.links) {
    link.a.cost = 1 + static_cast<Cost>(random() % kMostOld);
    link.b.cost = 1 + static_cast<Cost>(random() % kMostOld);
  }
  return network;
}

TEST(DrainCostOfRandomNetworks, NeverLetsAFrameGoRoundAndIsTheSmallest) {
  std::mt19937 random(1);
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    const LinkState network = random_network(random);
    for (std::size_t link = 0; link < network.links.size(); ++link) {
      const auto costs = drain_costs(network, link);
      if (!costs) continue;
      ++found;
      EXPECT_TRUE(is_drained(network, link, *costs)) << i << ", link " << link;
      EXPECT_EQ(some_loop(network, link, *costs), "") << i << ", link " << link;
      const Link& old = network.links[link];
      EXPECT_TRUE(costs->a == old.a.cost || !is_drained(network, link, {costs->a - 1, costs->b}));
      EXPECT_TRUE(costs->b == old.b.cost || !is_drained(network, link, {costs->a, costs->b - 1}));
    }
  }
  EXPECT_GT(found, 500);
}

// A prefix at two routers is like one more router that frames go to and never come from.
LinkState with_router_for_prefix(LinkState network) {
  constexpr Cost kNever = 1000;
  const SharedPrefix prefix = std::exchange(network.prefixes, {}).at(0);
  network.routers.push_back(prefix.name);
  for (const Attachment& one : prefix.at)
    network.links.push_back({{one.router, one.cost, ""}, {network.routers.size() - 1, kNever, ""}});
  return network;
}

TEST(DrainCostOfRandomNetworks, LetsNoFrameToASharedPrefixGoRound) {
  std::mt19937 random(3);
  int found = 0;
  for (int i = 0; i < 150; ++i) {
    LinkState network = random_ring(random, 5);
    network.prefixes = {{"shared", {{1 + random() % 2, 1}, {3 + random() % 2, 1}}}};
    const auto costs = drain_costs(network, 0);
    if (!costs) continue;
    ++found;
    EXPECT_TRUE(is_drained(network, 0, *costs)) << i;
    EXPECT_EQ(some_loop(with_router_for_prefix(network), 0, *costs), "") << i;
  }
  EXPECT_GT(found, 20);
}

// No two costs up to where nothing changes any more drain the link without a loop. In rings frames
// go round sooner than elsewhere.
TEST(DrainCostOfRandomNetworks, RefusesOnlyWhereNoCostWorks) {
  constexpr Cost kMostTried = 5 * kMostOld + 2;  // longer than any way around
  std::mt19937 random(2);
  int refused = 0;
  for (int i = 0; i < 60; ++i) {
    const LinkState network = random_ring(random, 5);
    if (drain_costs(network, 0)) continue;
    ++refused;
    const Link& old = network.links[0];
    for (Cost a = old.a.cost; a <= kMostTried; ++a) {
      for (Cost b = old.b.cost; b <= kMostTried; ++b) {
        if (!is_drained(network, 0, {a, b})) continue;
        EXPECT_NE(some_loop(network, 0, {a, b}), "") << i << ": " << a << ", " << b;
      }
    }
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace ebb::ospf
