// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ways.hpp"

#include "brute_force.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace ebb::controller {
namespace {

using topology::LinkId;

struct Network {
  std::string family;
  ParameterTexts parameters;
  forwarding::Detail detail = forwarding::Detail::compact;
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
        plan(*forwarding::AddressPlan::make(graph)),
        tables(tables_of(graph, plan)),
        reach(graph, plan, tables) {}

  static std::vector<forwarding::Table> tables_of(const topology::Graph& graph,
                                                  const forwarding::AddressPlan& plan) {
    const auto maker = forwarding::TableMaker::make(graph, plan);
    const auto alternatives = maker->offers(forwarding::Alternatives::everywhere)
                                  ? forwarding::Alternatives::everywhere
                                  : forwarding::Alternatives::none;
    std::vector<forwarding::Table> tables;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      tables.push_back(maker->table(s, GetParam().detail, alternatives));
    return tables;
  }

  // Few links asleep at first, later many, so that both answers occur.
  void change_at_random(Ways& ways, std::vector<bool>& asleep) {
    const auto link = static_cast<std::uint32_t>(random() % graph.link_count());
    const bool sleeps = random() % 3 == 0;
    if (!between_switches(graph, link) && random() % 8 != 0) return;
    asleep[link] = sleeps;
    ways.set(LinkId{link}, sleeps);
  }

  topology::Graph graph;
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;
  Reach reach;
  std::mt19937 random{7};
};

TEST_P(AnyNetwork, IsKnownAsByWalkingEveryPairOfHosts) {
  Ways ways(reach);
  std::vector<bool> asleep(graph.link_count());
  int reached = 0;
  int not_reached = 0;
  for (int round = 0; round < 60; ++round) {
    if (round % 15 == 0) {
      for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
        asleep[link] = false;
        ways.set(LinkId{link}, false);
      }
    }
    change_at_random(ways, asleep);
    ASSERT_EQ(ways.everyone(), reach.everyone(asleep)) << "round " << round;
    for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
      std::vector<bool> then = asleep;
      then[link] = true;
      const bool expected = reach.everyone(then);
      ASSERT_EQ(ways.everyone_without(LinkId{link}), expected) << round << ", link " << link;
      (expected ? reached : not_reached) += 1;
    }
  }
  EXPECT_GT(not_reached, 0);
  EXPECT_EQ(reached > 0, GetParam().family != "tree");
}

TEST_P(AnyNetwork, HasTheSleepersThatWalkingFinds) {
  const Sleepers found = sleepers(graph, plan, tables);
  const Sleepers expected = sleepers_by_walking(graph, reach);
  EXPECT_EQ(found.may_sleep, expected.may_sleep);
  EXPECT_EQ(found.instead, expected.instead);
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryFamily, AnyNetwork,
    testing::Values(Network{"fbfly", {{"hosts", "2"}, {"dims", "3x3"}}},
                    Network{"fbfly", {{"hosts", "1"}, {"dims", "5"}}},
                    Network{"fbfly", {{"hosts", "2"}, {"dims", "2x4"}}},
                    Network{"fbfly", {{"hosts", "4"}, {"dims", "3x2"}, {"parallel", "2x3"}}},
                    Network{"fbfly", {{"hosts", "2"}, {"dims", "3x3"}}, forwarding::Detail::flat},
                    Network{
                        "fbfly", {{"hosts", "2"}, {"dims", "3x3"}}, forwarding::Detail::per_switch},
                    Network{"complete", {{"switches", "5"}, {"hosts", "2"}}},
                    Network{"complete", {{"switches", "3"}, {"hosts", "4"}, {"parallel", "3"}}},
                    Network{"clos", {{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}}},
                    Network{"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}},
                    Network{"dragonfly", {{"p", "2"}, {"a", "3"}, {"h", "1"}}},
                    Network{"torus", {{"hosts", "1"}, {"dims", "4x3"}}},
                    Network{"mesh", {{"hosts", "2"}, {"dims", "3x3"}}},
                    Network{"irregular", {{"switches", "8"}, {"degree", "4"}, {"hosts", "1"}}},
                    Network{"tree", {{"switches", "4"}, {"hosts", "2"}}}));

TEST(HostKinds, AreOneForASwitchUnlessParallelLinksAreDealtOut) {
  const auto count = [](const Network& network) {
    const auto graph =
        *topology::build(network.family, network.parameters, {megabits_per_second(100)});
    const auto plan = *forwarding::AddressPlan::make(graph);
    const auto maker = forwarding::TableMaker::make(graph, plan);
    std::vector<forwarding::Table> tables;
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
      tables.push_back(maker->table(s, network.detail, forwarding::Alternatives::everywhere));
    const Reach reach(graph, plan, tables);
    const HostKinds kinds = host_kinds(reach);
    return std::pair(kinds.sources.size(), kinds.destinations.size());
  };
  EXPECT_EQ(count({"fbfly", {{"hosts", "4"}, {"dims", "3x3"}}}), std::pair(9UL, 9UL));
  EXPECT_EQ(count({"fbfly", {{"hosts", "4"}, {"dims", "3x3"}, {"parallel", "2x2"}}}),
            std::pair(9UL, 18UL));
}

}  // namespace
}  // namespace ebb::controller
