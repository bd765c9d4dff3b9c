// SPDX-License-Identifier: Apache-2.0
//
// Tables of small networks are right, and whatever changes what one of them does is noticed.
#include "ebb/forwarding/check.hpp"

#include "networks.hpp"

#include "ebb/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::Graph;

const std::vector<Shape>& networks() {
  static const std::vector<Shape> kNetworks = {
      {"fbfly", {{"hosts", "2"}, {"dims", "3x4"}}},
      {"fbfly", {{"hosts", "1"}, {"dims", "3x2x3"}}},
      {"dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}},
      {"dragonfly", {{"p", "1"}, {"a", "3"}, {"h", "2"}, {"g", "5"}}},
      {"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}},
      {"clos", {{"ports", "6"}, {"levels", "2"}, {"hosts", "18"}}},
      // Parallel links share the hosts of a switch.
      {"clos", {{"ports", "8"}, {"levels", "3"}, {"hosts", "32"}}},
      {"mesh", {{"hosts", "1"}, {"dims", "4x3"}}},
      {"torus", {{"hosts", "1"}, {"dims", "4x4"}}},
      {"complete", {{"switches", "6"}, {"hosts", "3"}}},
      {"irregular", {{"switches", "11"}, {"degree", "4"}, {"hosts", "2"}}},
      {"tree", {{"switches", "5"}, {"hosts", "2"}}}};
  return kNetworks;
}

constexpr Detail kDetails[] = {Detail::flat, Detail::per_switch, Detail::per_group,
                               Detail::compact};

// A network with its tables.
struct Made : Addressed {
  Made(const Shape& shape, Detail detail) : Addressed(shape), tables(Addressed::tables(detail)) {}

  std::vector<Table> tables;
};

TEST(Tables, OfEveryFamilyAreRight) {
  for (const Shape& network : networks()) {
    for (const Detail detail : kDetails) {
      SCOPED_TRACE(network.family + " " + std::to_string(static_cast<int>(detail)));
      const Made made(network, detail);
      const CheckReport quick = check(made.graph, made.plan, made.tables, &made.maker);
      EXPECT_EQ(to_string(quick.errors), "");
      const CheckReport slow = check_by_walking(made.graph, made.plan, made.tables, &made.maker);
      EXPECT_EQ(to_string(slow.errors), "");
      EXPECT_EQ(quick.pairs, slow.pairs);
    }
  }
}

TEST(ACheck, SaysWhatIsWrong) {
  Made made(networks()[8], Detail::per_switch);  // complete: 6 switches of 3 hosts
  made.tables[0].rules.erase(made.tables[0].rules.begin());
  const CheckReport report = check(made.graph, made.plan, made.tables);
  ASSERT_FALSE(report.errors.empty());
  EXPECT_NE(report.errors[0].message.find("has no rule for it"), std::string::npos);
}

// The first match of the highest priority, by looking at every rule.
std::optional<ChannelId> slow_output(const Table& table, Address source, Address destination) {
  const Rule* best = nullptr;
  for (const Rule& rule : table.rules) {
    if (!rule.source.matches(source) || !rule.destination.matches(destination)) continue;
    if (best == nullptr || rule.priority > best->priority) best = &rule;
  }
  return best == nullptr ? std::nullopt : std::optional(best->output);
}

// What a switch does with every frame that can come to it, by the tables that were intended.
class Traffic {
 public:
  explicit Traffic(const Made& made) : made_(made) {
    for (std::uint32_t from = 0; from < made.graph.host_count(); ++from) {
      for (std::uint32_t to = 0; to < made.graph.host_count(); ++to) {
        if (from != to) follow(from, to);
      }
    }
  }

  // Whether the table sends one of these frames elsewhere than before.
  [[nodiscard]] bool changed(const Table& now) const {
    return std::any_of(frames_.begin(), frames_.end(), [&](const Frame& frame) {
      return frame.at == now.of_switch &&
             slow_output(now, frame.source, frame.destination) != std::optional(frame.output);
    });
  }

 private:
  struct Frame {
    std::uint32_t at;
    Address source;
    Address destination;
    ChannelId output;
  };

  void follow(std::uint32_t from, std::uint32_t to) {
    const Graph& graph = made_.graph;
    topology::NodeId at = graph.target(graph.outputs(graph.host_node(from)).front());
    while (!graph.is_host(at)) {
      const ChannelId output =
          *slow_output(made_.tables[index(at)], made_.plan.of_host(from), made_.plan.of_host(to));
      frames_.push_back({index(at), made_.plan.of_host(from), made_.plan.of_host(to), output});
      at = graph.target(output);
    }
  }

  const Made& made_;
  std::vector<Frame> frames_;
};

// One rule gets another output, another bit in its value or mask, another priority, or is lost.
void corrupt(const Made& made, Table& table, RandomStream& dice) {
  const std::size_t which = dice.below(table.rules.size());
  Rule& rule = table.rules[which];
  const auto outputs = made.graph.outputs(made.graph.switch_node(table.of_switch));
  const Address bit = Address{1} << dice.below(static_cast<std::uint64_t>(made.plan.bits()));
  switch (dice.below(5)) {
    case 0:
      rule.output = outputs[dice.below(outputs.size())];
      break;
    case 1:
      rule.destination.value ^= bit & rule.destination.mask;
      break;
    case 2:
      rule.destination.mask ^= bit;
      rule.destination.value &= rule.destination.mask;
      break;
    case 3:
      rule.priority = static_cast<std::uint16_t>(dice.below(5));
      break;
    default:
      table.rules.erase(table.rules.begin() + static_cast<std::ptrdiff_t>(which));
  }
  sort_by_priority(table);
}

TEST(ACheck, NoticesEveryCorruptionThatChangesForwarding) {
  RandomStream dice(1, "rules/corrupt");
  int tried = 0;
  int changing = 0;
  for (const Shape& network : networks()) {
    for (const Detail detail : kDetails) {
      Made made(network, detail);
      const Traffic traffic(made);
      for (int i = 0; i < 10; ++i) {
        ++tried;
        const std::size_t at = dice.below(made.tables.size());
        const Table whole = made.tables[at];
        corrupt(made, made.tables[at], dice);
        const bool changed = traffic.changed(made.tables[at]);
        changing += changed ? 1 : 0;
        const CheckReport report = check(made.graph, made.plan, made.tables, &made.maker);
        EXPECT_TRUE(!changed || !report.errors.empty()) << network.family << " switch " << at;
        made.tables[at] = whole;
      }
    }
  }
  EXPECT_GE(tried, 200);
  EXPECT_GT(changing, tried / 4);
}

}  // namespace
}  // namespace ebb::forwarding
