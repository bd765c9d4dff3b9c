// SPDX-License-Identifier: Apache-2.0
//
// Where load goes in networks that others route, by hand on a leaf-spine of four leaves and three
// spines and on a LAG, and that none of it is lost whatever sleeps.
#include "ebb/forwarding/equal_cost.hpp"

#include "ebb/topology/graph.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;

// Leaves first, a host each.
Graph leaf_spine(std::uint32_t leaves, std::uint32_t spines, std::uint32_t parallel = 1) {
  topology::GraphBuilder builder(leaves + spines, leaves, {{gigabits_per_second(100)}});
  for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
    builder.connect(builder.switch_node(leaf), builder.host_node(leaf));
    for (std::uint32_t spine = 0; spine < spines; ++spine) {
      for (std::uint32_t cable = 0; cable < parallel; ++cable)
        builder.connect(builder.switch_node(leaf), builder.switch_node(leaves + spine));
    }
  }
  return std::move(builder).build({"imported", {}});
}

// Three switches in a row, with two cables, or one, between each two.
Graph row(std::uint32_t parallel) {
  topology::GraphBuilder builder(3, 3, {{gigabits_per_second(100)}});
  for (std::uint32_t s = 0; s < 3; ++s)
    builder.connect(builder.switch_node(s), builder.host_node(s));
  for (std::uint32_t s = 0; s < 2; ++s) {
    for (std::uint32_t cable = 0; cable < parallel; ++cable)
      builder.connect(builder.switch_node(s), builder.switch_node(s + 1));
  }
  return std::move(builder).build({"imported", {}});
}

// The given cable of those from one switch to another.
ChannelId channel(const Graph& graph, std::uint32_t from, std::uint32_t to, std::uint32_t nth = 0) {
  for (const ChannelId one : graph.outputs(graph.switch_node(from))) {
    if (graph.target(one) == graph.switch_node(to) && nth-- == 0) return one;
  }
  ADD_FAILURE() << "no such channel";
  return {};
}

EqualCostPaths paths_of(const Graph& graph, Routing routing, std::uint32_t least) {
  return EqualCostPaths::make(graph, {.routing = routing, .min_next_hops = least}).value();
}

std::string why_not(const Graph& graph, Routing routing, std::uint32_t least) {
  const auto paths = EqualCostPaths::make(graph, {.routing = routing, .min_next_hops = least});
  return paths ? "" : paths.error()[0].message;
}

class FourLeaves : public testing::Test {
 protected:
  static constexpr std::uint32_t kLeaves = 4;
  static constexpr std::uint32_t kSpines = 3;

  ChannelId up(std::uint32_t leaf, std::uint32_t spine) const {
    return channel(graph_, leaf, kLeaves + spine);
  }
  ChannelId down(std::uint32_t spine, std::uint32_t leaf) const {
    return topology::reverse(up(leaf, spine));
  }
  double carried(ChannelId one) const { return carried_[index(one)]; }
  void sleep(std::uint32_t leaf, std::uint32_t spine) {
    asleep_[index(topology::link_of(up(leaf, spine)))] = true;
    paths_.move(sent_, asleep_, carried_);
  }

  Graph graph_ = leaf_spine(kLeaves, kSpines);
  EqualCostPaths paths_ = paths_of(graph_, Routing::ecmp, 1);
  std::vector<float> sent_ = std::vector<float>(graph_.channel_count(), 12.0F);
  std::vector<double> carried_ = std::vector<double>(graph_.channel_count());
  std::vector<bool> asleep_ = std::vector<bool>(graph_.link_count());
};

// Every leaf sends 36, 12 by each spine and 4 of them to each other leaf.
TEST_F(FourLeaves, MoveWhatAnUplinkCarriedToTheOtherTwo) {
  sleep(0, 2);
  EXPECT_EQ(carried(up(0, 2)), 0);
  EXPECT_EQ(carried(down(2, 0)), 0);
  for (const std::uint32_t spine : {0U, 1U}) {
    EXPECT_DOUBLE_EQ(carried(up(0, spine)), 18) << "one and a half times";
    EXPECT_DOUBLE_EQ(carried(down(spine, 0)), 18);
  }
  for (const std::uint32_t leaf : {1U, 2U, 3U}) {
    EXPECT_DOUBLE_EQ(carried(up(leaf, 2)), 8) << "what it sent to leaf 0 takes other spines";
    EXPECT_DOUBLE_EQ(carried(down(2, leaf)), 8);
    EXPECT_DOUBLE_EQ(carried(up(leaf, 0)), 14);
    EXPECT_DOUBLE_EQ(carried(down(1, leaf)), 14);
  }
}

// The spine sends three quarters of what it gets to leaf 1.
TEST_F(FourLeaves, TakeThemToBeForWhomTheSpineSentTo) {
  for (const std::uint32_t leaf : {0U, 2U, 3U}) sent_[index(down(2, leaf))] = 4;
  sent_[index(down(2, 1))] = 36;
  for (const std::uint32_t leaf : {0U, 1U, 2U, 3U}) sent_[index(up(leaf, 2))] = 0;
  sent_[index(up(0, 2))] = 44;
  sent_[index(down(2, 0))] = 0;
  sleep(0, 2);
  EXPECT_DOUBLE_EQ(carried(down(0, 1)), 12 + 18);
  EXPECT_DOUBLE_EQ(carried(down(0, 2)), 12 + 2);
  EXPECT_DOUBLE_EQ(carried(down(2, 1)), 0);
}

TEST_F(FourLeaves, SendNothingBySpinesThatLackTheOtherLeaf) {
  sleep(0, 2);
  sleep(1, 1);
  // Between leaves 0 and 1 there is spine 0 alone.
  const double all = carried(up(0, 0)) + carried(up(0, 1));
  EXPECT_DOUBLE_EQ(all, 36);
  EXPECT_GT(carried(up(0, 0)), carried(up(0, 1)));
  EXPECT_EQ(carried(down(1, 1)), 0);
}

// Pairs of leaves send by each spine what they like. Each leaf then sends and gets what it did, and
// of spines with one link asleep at most, what goes into each comes out of it.
class RandomLoads : public FourLeaves {
 protected:
  void draw() {
    std::uniform_real_distribution<float> load(0, 100);
    std::fill(sent_.begin(), sent_.end(), 0.0F);
    for (std::uint32_t spine = 0; spine < kSpines; ++spine) {
      for (std::uint32_t from = 0; from < kLeaves; ++from) {
        for (std::uint32_t to = 0; to < kLeaves; ++to) {
          const float flow = from == to ? 0 : load(random_);
          sent_[index(up(from, spine))] += flow;
          sent_[index(down(spine, to))] += flow;
        }
      }
    }
  }
  void expect_leaves_to_send_and_get_as_before() const {
    for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf) {
      double more_sent = 0;
      double more_got = 0;
      for (std::uint32_t spine = 0; spine < kSpines; ++spine) {
        EXPECT_GE(carried(up(leaf, spine)), 0);
        EXPECT_GE(carried(down(spine, leaf)), 0);
        more_sent += carried(up(leaf, spine)) - double{sent_[index(up(leaf, spine))]};
        more_got += carried(down(spine, leaf)) - double{sent_[index(down(spine, leaf))]};
      }
      EXPECT_NEAR(more_sent, 0, 1e-3);
      EXPECT_NEAR(more_got, 0, 1e-3);
    }
  }
  void expect_spines_to_send_what_they_get() const {
    for (std::uint32_t spine = 0; spine < kSpines; ++spine) {
      double kept = 0;
      for (std::uint32_t leaf = 0; leaf < kLeaves; ++leaf)
        kept += carried(up(leaf, spine)) - carried(down(spine, leaf));
      EXPECT_NEAR(kept, 0, 1e-3);
    }
  }

  std::mt19937 random_{7};
};

TEST_F(RandomLoads, AreNotLostWhateverSleeps) {
  const SleepableLinks sleepable = paths_.sleepable();
  std::bernoulli_distribution coin(0.5);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    draw();
    for (std::uint32_t link = 0; link < graph_.link_count(); ++link)
      asleep_[link] = sleepable.may_sleep[link] && coin(random_);
    paths_.move(sent_, asleep_, carried_);
    expect_leaves_to_send_and_get_as_before();
  }
}

TEST_F(RandomLoads, LeaveSpinesAsTheyCome) {
  std::uniform_int_distribution<std::uint32_t> leaf(0, kLeaves - 1);
  for (int round = 0; round < 200; ++round) {
    SCOPED_TRACE(round);
    draw();
    std::fill(asleep_.begin(), asleep_.end(), false);
    for (const std::uint32_t spine : {1U, 2U}) sleep(leaf(random_), spine);
    expect_leaves_to_send_and_get_as_before();
    expect_spines_to_send_what_they_get();
  }
}

TEST_F(FourLeaves, KeepLinksToAsManySpinesAsMustStay) {
  const SleepableLinks one = paths_.sleepable();
  EXPECT_EQ(std::count(one.may_sleep.begin(), one.may_sleep.end(), true), 8);
  const SleepableLinks two = paths_of(graph_, Routing::ecmp, 2).sleepable();
  EXPECT_EQ(std::count(two.may_sleep.begin(), two.may_sleep.end(), true), 4);
  EXPECT_EQ(two.backup_channels[index(up(3, 2))], (std::vector{up(3, 0), up(3, 1)}));
  EXPECT_EQ(two.backup_channels[index(down(2, 3))], (std::vector{down(0, 3), down(1, 3)}));
  EXPECT_TRUE(two.backup_channels[index(up(3, 0))].empty());
}

TEST_F(FourLeaves, CountTheNextHopsThatWouldBeLeft) {
  const LinkId link = topology::link_of(up(0, 2));
  EXPECT_EQ(paths_.next_hops_without(link, asleep_).fewest, 2U);
  asleep_[index(topology::link_of(up(3, 1)))] = true;
  const auto left = paths_.next_hops_without(link, asleep_);
  EXPECT_EQ(left.fewest, 1U);
  EXPECT_EQ(left.from, graph_.switch_node(0));
  EXPECT_EQ(left.to, graph_.switch_node(3)) << "spine 1 has no link to it any more";
}

// What one link's load is moved to is what they all come to.
TEST_F(FourLeaves, TakeOneLinkOffAsTheyTakeAll) {
  sleep(0, 2);
  std::vector<double> loads(sent_.begin(), sent_.end());
  std::fill(asleep_.begin(), asleep_.end(), false);
  paths_.take_off(topology::link_of(up(0, 2)), asleep_, loads);
  for (std::size_t which = 0; which < loads.size(); ++which)
    EXPECT_DOUBLE_EQ(loads[which], carried_[which]) << which;
}

TEST(ParallelLinks, OfALeafSpineAreLagsFirst) {
  const Graph graph = leaf_spine(2, 2, 2);
  const EqualCostPaths paths = paths_of(graph, Routing::ecmp, 2);
  const SleepableLinks sleepable = paths.sleepable();
  EXPECT_EQ(std::count(sleepable.may_sleep.begin(), sleepable.may_sleep.end(), true), 4);
  const std::vector<float> sent(graph.channel_count(), 10.0F);
  std::vector<double> carried(graph.channel_count());
  paths.move(sent, sleepable.may_sleep, carried);
  EXPECT_EQ(carried[index(channel(graph, 0, 2, 0))], 20);
  EXPECT_EQ(carried[index(channel(graph, 0, 2, 1))], 0);
  EXPECT_EQ(carried[index(channel(graph, 2, 0, 0))], 20);
  // One link of the LAG to the first spine takes what both to the second carried.
  std::vector<bool> asleep(graph.link_count());
  for (const std::uint32_t nth : {0U, 1U})
    asleep[index(topology::link_of(channel(graph, 0, 3, nth)))] = true;
  paths.move(sent, asleep, carried);
  EXPECT_EQ(carried[index(channel(graph, 0, 2, 0))], 20);
  EXPECT_EQ(carried[index(channel(graph, 0, 2, 1))], 20);
  EXPECT_EQ(carried[index(channel(graph, 1, 3, 0))], 0) << "it was all for leaf 0";
}

TEST(Lag, OfTwoLinksIsOneLinkWithTheLoadOfBoth) {
  const Graph graph = row(2);
  const EqualCostPaths paths = paths_of(graph, Routing::lag, 1);
  const SleepableLinks sleepable = paths.sleepable();
  EXPECT_EQ(std::count(sleepable.may_sleep.begin(), sleepable.may_sleep.end(), true), 2);
  std::vector<float> sent(graph.channel_count());
  std::iota(sent.begin(), sent.end(), 1.0F);
  std::vector<bool> asleep(graph.link_count());
  asleep[index(topology::link_of(channel(graph, 0, 1, 1)))] = true;
  std::vector<double> carried(graph.channel_count());
  paths.move(sent, asleep, carried);
  for (const auto& [from, to] : {std::pair{0U, 1U}, {1U, 0U}}) {
    const ChannelId stays = channel(graph, from, to, 0);
    const ChannelId sleeps = channel(graph, from, to, 1);
    EXPECT_EQ(carried[index(stays)], double{sent[index(stays)]} + double{sent[index(sleeps)]});
    EXPECT_EQ(carried[index(sleeps)], 0);
  }
  EXPECT_EQ(carried[index(channel(graph, 1, 2))], sent[index(channel(graph, 1, 2))]);
  EXPECT_EQ(paths.next_hops_without(topology::link_of(channel(graph, 0, 1, 0)), asleep).fewest, 0U);
}

TEST(EqualCost, IsRefusedWhereNothingCouldSleep) {
  EXPECT_EQ(why_not(row(1), Routing::lag, 1),
            "no two links join the same two switches: there is no LAG");
  EXPECT_EQ(why_not(row(2), Routing::lag, 2),
            "no link may sleep: a LAG has at most 2 links, and 2 must stay");
  EXPECT_EQ(why_not(leaf_spine(4, 1), Routing::ecmp, 1),
            "no link may sleep: a leaf has as many next hops as spines, 1, and 1 must stay");
  EXPECT_NE(why_not(row(2), Routing::ecmp, 1).find("s0-s1.1 joins two switches with hosts"),
            std::string::npos)
      << why_not(row(2), Routing::ecmp, 1);
  EXPECT_EQ(why_not(leaf_spine(4, 3), Routing::ecmp, 2), "");
}

}  // namespace
}  // namespace ebb::forwarding
