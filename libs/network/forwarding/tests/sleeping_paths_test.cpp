// SPDX-License-Identifier: Apache-2.0
//
// Whichever of the links sleep that may: frames arrive, and cannot wait for one another in a
// circle.
#include "ebb/forwarding/lookup.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::LinkId;

struct Shape {
  std::string family;
  ParameterTexts parameters;
  std::uint32_t may_sleep = 0;  // links
};

void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.family;
  for (const auto& [name, value] : shape.parameters) *out << " " << name << "=" << value;
}

using ClassedChannel = std::pair<ChannelId, std::uint8_t>;

class WhileLinksSleep : public testing::TestWithParam<Shape> {
 protected:
  WhileLinksSleep()
      : graph(
            *topology::build(GetParam().family, GetParam().parameters, {megabits_per_second(100)})),
        plan(*AddressPlan::make(graph)),
        tables(*fabric_tables(graph, plan)),
        sleepable(sleepable_links(graph, plan, tables)) {
    for (const Table& table : tables) lookups.emplace_back(table, plan);
  }

  // Of what may sleep all, then none, a quarter, half and three quarters of it, again and again.
  std::vector<bool> some_asleep(std::uint32_t round) {
    if (round == 0) return sleepable.may_sleep;
    std::vector<bool> asleep(graph.link_count());
    for (std::uint32_t link = 0; link < asleep.size(); ++link)
      asleep[link] = sleepable.may_sleep[link] && random() % 4 < round % 4;
    return asleep;
  }

  // Follows the frame, and notes which channel in which class waits for which.
  bool arrives(std::uint32_t from, std::uint32_t to, const std::vector<bool>& asleep) {
    Frame frame{graph.outputs(graph.host_node(from)).front(), plan.of_host(from), plan.of_host(to)};
    std::vector<ClassedChannel> path;
    while (path.size() <= 2 * graph.switch_count()) {
      const NextHops hops = lookups[index(graph.target(*frame.input))].next_hops(frame);
      std::size_t i = 0;
      while (i < hops.size() && asleep[index(topology::link_of(hops[i].output))]) ++i;
      if (i == hops.size()) return false;
      const auto next = graph.target(hops[i].output);
      if (graph.is_host(next)) return graph.host_number(next) == to;
      path.emplace_back(hops[i].output, hops[i].cos);
      if (path.size() > 1) waits[path[path.size() - 2]].insert(path.back());
      frame.destination = hops[i].destination;
      frame.input = hops[i].output;
    }
    return false;
  }

  // Takes away what waits for nothing until nothing is left, or a circle.
  bool wait_in_a_circle() {
    while (!waits.empty()) {
      const std::size_t before = waits.size();
      for (auto& [one, others] : waits)
        std::erase_if(others, [&](const ClassedChannel& other) { return !waits.contains(other); });
      std::erase_if(waits, [](const auto& one) { return one.second.empty(); });
      if (waits.size() == before) return true;
    }
    return false;
  }

  topology::Graph graph;
  AddressPlan plan;
  std::vector<Table> tables;
  SleepableLinks sleepable;
  std::vector<Lookup> lookups;
  std::map<ClassedChannel, std::set<ClassedChannel>> waits;
  std::mt19937 random{3};
};

TEST_P(WhileLinksSleep, FramesArriveAndNoneWaitInACircle) {
  for (std::uint32_t round = 0; round < 40; ++round) {
    const std::vector<bool> asleep = some_asleep(round);
    for (std::uint32_t from = 0; from < graph.host_count(); ++from) {
      for (std::uint32_t to = 0; to < graph.host_count(); ++to)
        ASSERT_TRUE(from == to || arrives(from, to, asleep)) << from << " to " << to;
    }
  }
  EXPECT_FALSE(wait_in_a_circle());
}

TEST_P(WhileLinksSleep, AsManySleepAsTheModelSays) {
  const auto count = std::count(sleepable.may_sleep.begin(), sleepable.may_sleep.end(), true);
  EXPECT_EQ(count, GetParam().may_sleep);
}

// A Dragonfly and a network with a link between any two switches keep a tree; of a Clos with three
// levels each leaf keeps one uplink and each switch above it one, and the first leaf of each pod
// all of them.
INSTANTIATE_TEST_SUITE_P(
    OfEveryFamily, WhileLinksSleep,
    testing::Values(
        Shape{"dragonfly", {{"p", "1"}, {"a", "2"}, {"h", "1"}, {"g", "3"}}, 6 - 5},
        Shape{"dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "1"}, {"g", "5"}}, 40 - 19},
        Shape{"dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "9"}}, 90 - 35},
        Shape{"dragonfly", {{"p", "1"}, {"a", "3"}, {"h", "2"}, {"g", "4"}}, 24 - 11},
        Shape{"dragonfly", {{"p", "2"}, {"a", "1"}, {"h", "4"}, {"g", "5"}}, 10 - 4},
        Shape{"complete", {{"switches", "7"}, {"hosts", "1"}}, 21 - 6},
        Shape{"complete", {{"switches", "4"}, {"hosts", "1"}, {"parallel", "2"}}, 12 - 3},
        Shape{"clos", {{"ports", "4"}, {"levels", "2"}, {"hosts", "8"}}, 8 - 4},
        Shape{"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}, 32 - 12 - 8},
        Shape{"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}}, 108 - 30 - 18},
        Shape{"clos", {{"ports", "4"}, {"levels", "4"}, {"hosts", "32"}}, 96 - 64},
        Shape{"fbfly", {{"hosts", "1"}, {"dims", "3x3"}}, 6},
        Shape{"fbfly", {{"hosts", "1"}, {"dims", "5"}}, 10 - 4},
        Shape{"torus", {{"hosts", "1"}, {"dims", "4x4"}}, 8},
        Shape{"mesh", {{"hosts", "1"}, {"dims", "4x3"}}, 4}),
    [](const auto& one) { return one.param.family + std::to_string(one.index); });

}  // namespace
}  // namespace ebb::forwarding
