// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/table.hpp"

#include "networks.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::NodeId;

constexpr Detail kDetails[] = {Detail::flat, Detail::per_switch, Detail::per_group,
                               Detail::compact};

// By looking at every rule. Nothing when no rule matches, or when the best are several.
std::optional<ChannelId> looked_up(const Table& table, Address source, Address destination) {
  std::optional<ChannelId> output;
  int best = -1;
  for (const Rule& rule : table.rules) {
    if (!rule.source.matches(source) || !rule.destination.matches(destination)) continue;
    if (rule.priority < best) continue;
    const bool another = rule.priority == best;
    best = rule.priority;
    output = another ? std::nullopt : std::optional(rule.output);
  }
  return output;
}

struct Walk {
  bool arrived = false;
  bool as_intended = true;  // every switch did as the maker says
  std::size_t links = 0;    // between switches
};

Walk walk(const Addressed& made, const std::vector<Table>& tables, std::uint32_t from,
          std::uint32_t to) {
  Walk result;
  std::uint32_t at = made.plan.switch_of(from);
  while (result.links <= made.graph.switch_count()) {
    const auto output = looked_up(tables[at], made.plan.of_host(from), made.plan.of_host(to));
    if (!output) return result;
    if (*output != made.maker.output(at, from, to, tables[at].detail)) result.as_intended = false;
    const NodeId next = made.graph.target(*output);
    if (made.graph.is_host(next)) {
      result.arrived = made.graph.host_number(next) == to;
      return result;
    }
    at = index(next);
    ++result.links;
  }
  return result;
}

std::vector<Table> tables_of(const Addressed& made, Detail detail) {
  std::vector<Table> tables;
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
    tables.push_back(made.maker.table(s, detail));
  return tables;
}

class SmallNetworks : public ::testing::TestWithParam<Shape> {};

TEST_P(SmallNetworks, EveryHostReachesEveryHost) {
  const Addressed made(GetParam());
  const auto known = topology::properties(GetParam().family, GetParam().parameters);
  // Irregular graphs and Closes of chassis have no closed form; a dragonfly's global link may not
  // be the one of the shortest path.
  std::size_t longest = known->diameter > 0 ? static_cast<std::size_t>(known->diameter)
                                            : made.graph.switch_count() - 1;
  if (GetParam().family == "dragonfly") longest = 3;
  for (const Detail detail : kDetails) {
    const std::vector<Table> tables = tables_of(made, detail);
    for (std::uint32_t from = 0; from < made.graph.host_count(); ++from) {
      for (std::uint32_t to = 0; to < made.graph.host_count(); ++to) {
        const Walk done = walk(made, tables, from, to);
        ASSERT_TRUE(done.arrived) << from << " to " << to << ", detail " << int(detail);
        ASSERT_TRUE(done.as_intended) << from << " to " << to << ", detail " << int(detail);
        ASSERT_LE(done.links, longest) << from << " to " << to;
      }
    }
  }
}

TEST_P(SmallNetworks, RulesAreInOrder) {
  const Addressed made(GetParam());
  for (const Detail detail : kDetails) {
    for (const Table& table : tables_of(made, detail)) {
      EXPECT_TRUE(
          std::is_sorted(table.rules.begin(), table.rules.end(), [](const Rule& a, const Rule& b) {
            if (a.priority != b.priority) return a.priority > b.priority;
            return a.destination.value < b.destination.value;
          }));
    }
  }
}

TEST_P(SmallNetworks, LessDetailNeverTakesMoreRules) {
  const Addressed made(GetParam());
  const bool one_link_each = GetParam().parameters.back().first != "parallel";
  for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s) {
    EXPECT_EQ(made.rules(s, Detail::flat), made.graph.host_count());
    EXPECT_LE(made.rules(s, Detail::per_switch), made.rules(s, Detail::flat));
    EXPECT_LE(made.rules(s, Detail::per_group), made.rules(s, Detail::per_switch));
    // Parallel links and uplinks are split, one rule each, by compact tables alone.
    const std::string& family = GetParam().family;
    if (one_link_each && family != "clos" && family != "rail-clos") {
      EXPECT_LE(made.rules(s, Detail::compact), made.rules(s, Detail::per_group));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallNetworks, ::testing::ValuesIn(small_shapes()));

// Frames between switches, by channel, when every host sends one to every host.
std::vector<std::size_t> frames(const Addressed& made, Detail detail) {
  std::vector<std::size_t> count(made.graph.channel_count());
  for (std::uint32_t from = 0; from < made.graph.host_count(); ++from) {
    for (std::uint32_t to = 0; to < made.graph.host_count(); ++to) {
      std::uint32_t at = made.plan.switch_of(from);
      while (at != made.plan.switch_of(to)) {
        const ChannelId next = made.maker.output(at, from, to, detail);
        ++count[index(next)];
        at = index(made.graph.target(next));
      }
    }
  }
  return count;
}

// Least and most frames on a channel to a switch further up.
std::pair<std::size_t, std::size_t> uplink_frames(const Addressed& made, Detail detail) {
  const std::vector<std::size_t> count = frames(made, detail);
  std::pair<std::size_t, std::size_t> bounds{count.size() * count.size(), 0};
  for (std::uint32_t c = 0; c < count.size(); ++c) {
    const ChannelId channel{c};
    if (!made.graph.connects_switches(channel)) continue;
    if (made.graph.source(channel) > made.graph.target(channel)) continue;
    bounds = {std::min(bounds.first, count[c]), std::max(bounds.second, count[c])};
  }
  return bounds;
}

// Of a whole Clos with 3 hosts and 3 uplinks on a leaf: 54 hosts, 3 leaves in a pod.
TEST(AClos, SpreadsFramesOverItsUplinks) {
  const Addressed made({"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}}});
  // A host's frames all take its own uplink: 51 leave its leaf, 45 its pod.
  EXPECT_EQ(uplink_frames(made, Detail::compact), std::pair(std::size_t{45}, std::size_t{51}));
  // By pod: 27 or 54 to other pods, and 9 to each of the two other leaves.
  EXPECT_EQ(uplink_frames(made, Detail::per_group), std::pair(std::size_t{27}, std::size_t{63}));
}

// Whatever link is first between the groups.
TEST(ADragonfly, UsesAGlobalLinkOfItsOwn) {
  const Addressed made({"dragonfly", {{"p", "1"}, {"a", "4"}, {"h", "2"}, {"g", "5"}}});
  for (std::uint32_t at = 0; at < made.graph.switch_count(); ++at) {
    for (const ChannelId channel : made.graph.outputs(made.graph.switch_node(at))) {
      const NodeId there = made.graph.target(channel);
      if (made.graph.is_host(there) || index(there) / 4 == at / 4) continue;
      // Host and switch have one number: p = 1.
      const ChannelId taken = made.maker.output(at, at, index(there), Detail::compact);
      EXPECT_EQ(index(made.graph.target(taken)) / 4, index(there) / 4);
    }
  }
}

std::size_t ports(const Addressed& made, std::uint32_t s) {
  return made.graph.outputs(made.graph.switch_node(s)).size();
}

// "A FB of any dimension can reach the minimum number of rules", and the folded Clos.
TEST(CompactTables, OfFlattenedButterfliesAndClosesHaveARuleForEachPort) {
  const Shape shapes[] = {{"fbfly", {{"hosts", "4"}, {"dims", "5x4"}}},
                          {"fbfly", {{"hosts", "3"}, {"dims", "3x3x3"}}},
                          {"fbfly", {{"hosts", "3"}, {"dims", "3x2x4x2"}}},
                          {"fbfly", {{"hosts", "3"}, {"dims", "4x3"}, {"parallel", "1x3"}}},
                          {"clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "32"}}},
                          {"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}}},
                          {"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "27"}}},
                          {"clos", {{"ports", "6"}, {"levels", "4"}, {"hosts", "162"}}}};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.text());
    const Addressed made(shape);
    for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s)
      EXPECT_EQ(made.rules(s, Detail::compact), ports(made, s)) << "switch " << s;
  }
}

// Every output of a table is used, so parallel links and uplinks are not in vain.
TEST(CompactTables, OfFlattenedButterfliesAndClosesUseEveryPort) {
  const Shape shapes[] = {{"fbfly", {{"hosts", "3"}, {"dims", "4x3"}, {"parallel", "1x3"}}},
                          {"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}}}};
  for (const Shape& shape : shapes) {
    const Addressed made(shape);
    for (std::uint32_t s = 0; s < made.graph.switch_count(); ++s) {
      std::vector<ChannelId> used;
      for (const Rule& rule : made.maker.table(s, Detail::compact).rules)
        used.push_back(rule.output);
      std::sort(used.begin(), used.end());
      used.erase(std::unique(used.begin(), used.end()), used.end());
      EXPECT_EQ(used.size(), ports(made, s)) << shape.text() << ", switch " << s;
    }
  }
}

// Equation (1): R = (G-1) + (S-1) + T.
TEST(TablesByGroup, HaveTheRulesOfEquationOne) {
  const Shape shapes[] = {{"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}},
                          {"dragonfly", {{"p", "3"}, {"a", "6"}, {"h", "3"}}},
                          {"fbfly", {{"hosts", "3"}, {"dims", "3x3x3"}}},
                          {"fbfly", {{"hosts", "4"}, {"dims", "4x4"}}},
                          {"clos", {{"ports", "6"}, {"levels", "3"}, {"hosts", "54"}}},
                          {"clos", {{"ports", "6"}, {"levels", "4"}, {"hosts", "162"}}}};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.text());
    const Addressed made(shape);
    const auto known = topology::properties(shape.family, shape.parameters);
    const auto expected =
        static_cast<std::size_t>((known->groups - 1) + (known->access_switches_per_group - 1) +
                                 known->hosts_per_access_switch);
    for (const std::uint32_t s : made.plan.access_switches())
      EXPECT_EQ(made.rules(s, Detail::per_group), expected) << "switch " << s;
  }
}

// "At least, this would imply S-1 additional rules"; at most those of equation (1).
TEST(CompactTables, OfDragonfliesAreWithinThePublishedBounds) {
  for (const char* size : {"2", "3", "4"}) {
    const std::string a = std::to_string(2 * std::stoi(size));
    const Addressed made({"dragonfly", {{"p", size}, {"a", a}, {"h", size}}});
    for (const std::uint32_t s : made.plan.access_switches()) {
      const std::size_t rules = made.rules(s, Detail::compact);
      EXPECT_GE(rules, ports(made, s) + std::stoul(a) - 1);
      EXPECT_LE(rules, made.rules(s, Detail::per_group));
    }
  }
}

}  // namespace
}  // namespace ebb::forwarding
