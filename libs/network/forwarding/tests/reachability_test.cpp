// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/reachability.hpp"

#include "brute_force.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/topology/recognition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <tuple>
#include <utility>

namespace ebb::forwarding {
namespace {

using topology::LinkId;

struct Network {
  std::string family;
  ParameterTexts parameters;
  Detail detail = Detail::compact;
};

void PrintTo(const Network& network, std::ostream* out) {
  *out << network.family;
  for (const auto& [name, value] : network.parameters) *out << " " << name << "=" << value;
  *out << " detail " << static_cast<int>(network.detail);
}

class AnyNetwork : public testing::TestWithParam<Network> {
 protected:
  AnyNetwork()
      : graph(
            *topology::build(GetParam().family, GetParam().parameters, {megabits_per_second(100)})),
        plan(*AddressPlan::make(graph)),
        tables(tables_of(graph, plan)),
        walker(graph, plan, tables) {}

  static std::vector<Table> tables_of(const topology::Graph& graph, const AddressPlan& plan) {
    const auto maker = TableMaker::make(graph, plan);
    const auto alternatives =
        maker->offers(BackupPaths::everywhere) ? BackupPaths::everywhere : BackupPaths::none;
    std::vector<Table> tables;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      tables.push_back(maker->table(s, GetParam().detail, alternatives));
    return tables;
  }

  // Few links asleep at first, later many, so that both answers occur.
  void change_at_random(ReachabilityIndex& reachability, std::vector<bool>& asleep) {
    const auto link = static_cast<std::uint32_t>(random() % graph.link_count());
    const bool sleeps = random() % 3 == 0;
    if (!graph.connects_switches(topology::LinkId{link}) && random() % 8 != 0) return;
    asleep[link] = sleeps;
    reachability.set(LinkId{link}, sleeps);
  }

  topology::Graph graph;
  AddressPlan plan;
  std::vector<Table> tables;
  TableWalker walker;
  std::mt19937 random{7};
};

TEST_P(AnyNetwork, IsKnownAsByWalkingEveryPairOfHosts) {
  ReachabilityIndex reachability(walker);
  std::vector<bool> asleep(graph.link_count());
  int reached = 0;
  int not_reached = 0;
  for (int round = 0; round < 60; ++round) {
    if (round % 15 == 0) {
      for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
        asleep[link] = false;
        reachability.set(LinkId{link}, false);
      }
    }
    change_at_random(reachability, asleep);
    ASSERT_EQ(reachability.all_reachable(), walker.all_reachable(asleep)) << "round " << round;
    for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
      std::vector<bool> then = asleep;
      then[link] = true;
      const bool expected = walker.all_reachable(then);
      ASSERT_EQ(reachability.all_reachable_without(LinkId{link}), expected)
          << round << ", link " << link;
      (expected ? reached : not_reached) += 1;
    }
  }
  EXPECT_GT(not_reached, 0);
  EXPECT_EQ(reached > 0, GetParam().family != "tree");
}

TEST_P(AnyNetwork, HasTheSleepableLinksThatWalkingFinds) {
  const SleepableLinks found = sleepable_links(graph, plan, tables);
  const auto count = [](const SleepableLinks& links) {
    return std::count(links.may_sleep.begin(), links.may_sleep.end(), true);
  };
  SleepableLinks expected = sleepable_by_walking(graph, tables, walker);
  // A search may find more than the first that it comes to; never something else of the same size.
  if (count(found) > count(expected)) {
    EXPECT_TRUE(walker.all_reachable(found.may_sleep));
    expected = backups_by_walking(graph, walker, found.may_sleep);
  }
  EXPECT_EQ(found.may_sleep, expected.may_sleep);
  // And what they may take while only some of them sleep.
  for (std::uint32_t channel = 0; channel < graph.channel_count(); ++channel) {
    const auto& all = found.backup_channels[channel];
    const auto& by_walking = expected.backup_channels[channel];
    EXPECT_TRUE(std::includes(all.begin(), all.end(), by_walking.begin(), by_walking.end()))
        << channel;
  }
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryFamily, AnyNetwork,
    testing::Values(Network{"fbfly", {{"hosts", "2"}, {"dims", "3x3"}}},
                    Network{"fbfly", {{"hosts", "1"}, {"dims", "5"}}},
                    Network{"fbfly", {{"hosts", "2"}, {"dims", "2x4"}}},
                    Network{"fbfly", {{"hosts", "4"}, {"dims", "3x2"}, {"parallel", "2x3"}}},
                    Network{"fbfly", {{"hosts", "2"}, {"dims", "3x3"}}, Detail::flat},
                    Network{"fbfly", {{"hosts", "2"}, {"dims", "3x3"}}, Detail::per_switch},
                    Network{"complete", {{"switches", "5"}, {"hosts", "2"}}},
                    Network{"complete", {{"switches", "3"}, {"hosts", "4"}, {"parallel", "3"}}},
                    Network{"clos", {{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}}},
                    Network{"clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "16"}}},
                    Network{"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}},
                    Network{"dragonfly", {{"p", "2"}, {"a", "3"}, {"h", "1"}}},
                    Network{"torus", {{"hosts", "1"}, {"dims", "4x3"}}},
                    Network{"mesh", {{"hosts", "2"}, {"dims", "3x3"}}},
                    Network{"irregular", {{"switches", "8"}, {"degree", "4"}, {"hosts", "1"}}},
                    Network{"tree", {{"switches", "4"}, {"hosts", "2"}}}));

TEST(HostEquivalenceClasses, AreOneForASwitchUnlessParallelLinksAreDealtOut) {
  const auto count = [](const Network& network) {
    const auto graph =
        *topology::build(network.family, network.parameters, {megabits_per_second(100)});
    const auto plan = *AddressPlan::make(graph);
    const auto tables = *fabric_tables(graph, plan);
    const TableWalker walker(graph, plan, tables);
    const HostEquivalenceClasses classes = host_equivalence_classes(walker);
    return std::pair(classes.sources.size(), classes.destinations.size());
  };
  EXPECT_EQ(count({"fbfly", {{"hosts", "4"}, {"dims", "3x3"}}}), std::pair(9UL, 9UL));
  EXPECT_EQ(count({"fbfly", {{"hosts", "4"}, {"dims", "3x3"}, {"parallel", "2x2"}}}),
            std::pair(9UL, 18UL));
}

using topology::ChannelId;
using topology::LinkId;

struct Ruled {
  Ruled(const std::string& family, const ParameterTexts& parameters)
      : Ruled(*topology::build(family, parameters, {megabits_per_second(100)})) {}
  explicit Ruled(topology::Graph made)
      : graph(std::move(made)),
        plan(*AddressPlan::make(graph)),
        tables(*fabric_tables(graph, plan)) {}
  [[nodiscard]] std::size_t asleep() const {
    const SleepableLinks found = sleepable_links(graph, plan, tables);
    return static_cast<std::size_t>(
        std::count(found.may_sleep.begin(), found.may_sleep.end(), true));
  }

  topology::Graph graph;
  AddressPlan plan;
  std::vector<Table> tables;
};

TEST(SleepableLinks, OfAFlattenedButterflyAreTheLinksWithoutCoordinateZero) {
  const Ruled ruled("fbfly", {{"hosts", "2"}, {"dims", "3x3"}});
  const SleepableLinks found = sleepable_links(ruled.graph, ruled.plan, ruled.tables);
  for (std::uint32_t link = 0; link < ruled.graph.link_count(); ++link) {
    const topology::Link& ends = ruled.graph.link(LinkId{link});
    if (!ruled.graph.connects_switches(ends)) {
      EXPECT_FALSE(found.may_sleep[link]);
      continue;
    }
    const std::uint32_t a = index(ends.a);
    const std::uint32_t b = index(ends.b);
    const bool same_row = a / 3 == b / 3;
    const bool to_zero = same_row ? a % 3 == 0 || b % 3 == 0 : a / 3 == 0 || b / 3 == 0;
    EXPECT_EQ(found.may_sleep[link], !to_zero) << a << " to " << b;
  }
}

TEST(SleepableLinks, KnowWhereTheirFramesGo) {
  const Ruled ruled("complete", {{"switches", "3"}, {"hosts", "1"}});
  const SleepableLinks found = sleepable_links(ruled.graph, ruled.plan, ruled.tables);
  const auto names = [&](const std::vector<ChannelId>& channels) {
    std::string text;
    for (const ChannelId one : channels)
      text += ruled.graph.name(ruled.graph.source(one)) + ">" +
              ruled.graph.name(ruled.graph.target(one)) + " ";
    return text;
  };
  for (const ChannelId output : ruled.graph.outputs(ruled.graph.switch_node(1))) {
    if (ruled.graph.target(output) != ruled.graph.switch_node(2)) continue;
    EXPECT_TRUE(found.may_sleep[index(topology::link_of(output))]);
    EXPECT_EQ(names(found.backup_channels[index(output)]), "s1>s0 s0>s2 ");
  }
}

// Spines first, leaves last, two hosts on a leaf, cables in no particular order: as in a graph
// file.
topology::Graph drawn(std::uint32_t leaves, std::uint32_t spines, std::uint32_t parallel) {
  topology::GraphBuilder builder(leaves + spines, leaves * 2, {{megabits_per_second(100)}});
  for (std::uint32_t i = 0; i < parallel; ++i) {
    for (std::uint32_t s = spines; s-- > 0;) {
      for (std::uint32_t l = 0; l < leaves; ++l)
        builder.connect(builder.switch_node(spines + l), builder.switch_node(s));
    }
  }
  for (std::uint32_t h = 0; h < leaves * 2; ++h)
    builder.connect(builder.switch_node(spines + h / 2), builder.host_node(h));
  return std::move(builder).build({"imported", {}});
}

// All but one link from each leaf to the first spine: 20 leaves x 4 spines - 20, 16 leaves x 8
// spines x 2 parallel links - 16. That is also what theory allows.
TEST(SleepableLinks, OfALeafSpineAreAllButOneFromEachLeaf) {
  EXPECT_EQ(Ruled(drawn(20, 4, 1)).asleep(), 60U);
  EXPECT_EQ(Ruled(drawn(5, 3, 4)).asleep(), 5U * 3 * 4 - 5);
  const Ruled clos("clos", {{"ports", "32"}, {"levels", "2"}, {"hosts", "256"}});
  EXPECT_EQ(clos.asleep(), 240U);
  EXPECT_EQ(topology::fewest_links_that_join_hosts(clos.graph), 16U);
}

// A policy wakes and puts to sleep in any order, so every subset must do.
TEST(SleepableLinks, OfALeafSpineMaySleepInAnyOrder) {
  std::mt19937 random{11};
  for (const auto& [leaves, spines, parallel] :
       {std::tuple(4U, 3U, 1U), std::tuple(3U, 5U, 2U), std::tuple(2U, 2U, 3U)}) {
    const Ruled ruled(drawn(leaves, spines, parallel));
    const TableWalker walker(ruled.graph, ruled.plan, ruled.tables);
    const SleepableLinks found = sleepable_links(ruled.graph, ruled.plan, ruled.tables);
    for (int round = 0; round < 200; ++round) {
      const auto share = random() % 10;
      std::vector<bool> asleep = found.may_sleep;
      for (std::size_t link = 0; link < asleep.size(); ++link)
        asleep[link] = asleep[link] && random() % 10 <= share;
      EXPECT_TRUE(walker.all_reachable(asleep)) << "round " << round;
    }
  }
}

// What a link carried goes by its parallel link while that is awake, and else by the spine that
// stays: an overload of either objects.
TEST(SleepableLinks, OfALeafSpineKnowWhoCarriesTheirLoad) {
  const Ruled ruled(drawn(3, 2, 2));
  const SleepableLinks found = sleepable_links(ruled.graph, ruled.plan, ruled.tables);
  const topology::Graph& graph = ruled.graph;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    if (!found.may_sleep[l]) continue;
    // Its ends are a leaf and a spine, in this order.
    const ChannelId up = topology::forward(LinkId{l});
    const auto leads = [&](ChannelId channel, topology::NodeId from, topology::NodeId to) {
      const auto& all = found.backup_channels[index(channel)];
      return std::any_of(all.begin(), all.end(), [&](ChannelId one) {
        return one != channel && graph.source(one) == from && graph.target(one) == to;
      });
    };
    EXPECT_TRUE(leads(up, graph.source(up), graph.target(up))) << "the parallel link";
    EXPECT_TRUE(leads(up, graph.source(up), graph.switch_node(0))) << "the first spine";
    const ChannelId down = topology::reverse(up);
    EXPECT_TRUE(leads(down, graph.source(down), graph.target(down))) << "the parallel link";
    EXPECT_TRUE(leads(down, graph.switch_node(0), graph.target(down))) << "the first spine";
  }
}

TEST(SleepableLinks, OfATreeAreNone) {
  EXPECT_EQ(Ruled("tree", {{"switches", "4"}, {"hosts", "1"}}).asleep(), 0U);
}

// All but one of parallel links, and none that leaves a host behind.
TEST(SleepableLinks, AreFoundInEveryFamily) {
  EXPECT_EQ(Ruled("fbfly", {{"hosts", "1"}, {"dims", "4x4"}}).asleep(), 24U);  // of 48
  EXPECT_GT(Ruled("clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}).asleep(), 0U);
  EXPECT_GT(Ruled("dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "1"}}).asleep(), 0U);
  EXPECT_GT(Ruled("complete", {{"switches", "6"}, {"hosts", "1"}, {"parallel", "5"}}).asleep(), 0U);
}

}  // namespace
}  // namespace ebb::forwarding
