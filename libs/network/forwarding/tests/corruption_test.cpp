// SPDX-License-Identifier: Apache-2.0
//
// Whatever changes what a table with backup_paths does, with all links or without any one of them,
// or makes a channel-dependency cycle, is noticed.
#include "networks.hpp"

#include "ebb/core/random.hpp"
#include "ebb/forwarding/check.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::LinkId;

// What becomes of a frame at one switch: output, class, destination as sent. Written again here,
// rule by rule, so that the library cannot agree with itself.
using Deed = std::tuple<ChannelId, std::uint8_t, Address>;

std::optional<Deed> deed(const Table& table, const Frame& frame, std::optional<LinkId> dead) {
  const auto matches = [&](const Rule& rule) {
    return rule.destination.matches(frame.destination) && rule.source.matches(frame.source) &&
           (!rule.input || rule.input == frame.input);
  };
  const Rule* best = nullptr;
  const Rule* other = nullptr;
  for (const Rule& rule : table.rules) {
    const bool backup = rule.use == Use::backup;
    if (!matches(rule) || (backup && dead && link_of(rule.output) == *dead)) continue;
    const Rule*& slot = backup ? other : best;
    if (slot == nullptr || rule.priority > slot->priority) slot = &rule;
  }
  if (best == nullptr) return std::nullopt;
  const bool gives_way = dead && link_of(best->output) == *dead && best->use == Use::primary;
  const Address kept = best->clears_tag ? frame.destination & ~kReroutedTag : frame.destination;
  if (!gives_way) return Deed{best->output, best->cos, kept};
  if (const FastReroute* reroute = table.fast_reroute(best->output)) {
    const RerouteChoices offered(*reroute, frame);
    if (offered.empty()) return Deed{best->output, best->cos, frame.destination};
    return Deed{offered[0].output, best->cos,
                offered[0].tagged ? frame.destination | kReroutedTag : frame.destination};
  }
  if (other != nullptr) return Deed{other->output, other->cos, frame.destination};
  return Deed{best->output, best->cos, frame.destination};
}

// Every frame at every switch that it comes to, with all links and without each that it would use.
class Traffic {
 public:
  Traffic(const Addressed& made, const std::vector<Table>& tables) : made_(made), tables_(tables) {
    for (std::uint32_t from = 0; from < made.graph.host_count(); ++from) {
      for (std::uint32_t to = 0; to < made.graph.host_count(); ++to) {
        if (from == to) continue;
        for (const LinkId link : follow(from, to, std::nullopt)) (void)follow(from, to, link);
      }
    }
  }

  [[nodiscard]] bool changed(const Table& now) const {
    return std::any_of(seen_.begin(), seen_.end(), [&](const Seen& one) {
      return one.at == now.of_switch && deed(now, one.frame, one.dead) != one.deed;
    });
  }

 private:
  struct Seen {
    std::uint32_t at = 0;
    Frame frame;
    std::optional<LinkId> dead;
    std::optional<Deed> deed;
  };

  std::vector<LinkId> follow(std::uint32_t from, std::uint32_t to, std::optional<LinkId> dead) {
    const topology::Graph& graph = made_.graph;
    Frame frame{graph.outputs(graph.host_node(from)).front(), made_.plan.of_host(from),
                made_.plan.of_host(to)};
    std::vector<LinkId> used;
    while (!graph.is_host(graph.target(*frame.input))) {
      const std::uint32_t at = index(graph.target(*frame.input));
      const auto done = deed(tables_[at], frame, dead);
      seen_.push_back({at, frame, dead, done});
      const auto [output, cos, destination] = *done;
      if (dead && link_of(output) == *dead) return used;  // lost: no backup
      if (!graph.is_host(graph.target(output))) used.push_back(link_of(output));
      frame = {output, frame.source, destination};
    }
    return used;
  }

  const Addressed& made_;
  const std::vector<Table>& tables_;
  std::vector<Seen> seen_;
};

void corrupt_rule(const Addressed& made, Table& table, RandomStream& dice) {
  const std::size_t which = dice.below(table.rules.size());
  Rule& rule = table.rules[which];
  const auto outputs = made.graph.outputs(made.graph.switch_node(table.of_switch));
  const std::uint64_t bits = static_cast<std::uint64_t>(made.plan.bits());
  const std::uint64_t choice = dice.below(bits + 1);
  const Address bit = choice == bits ? kReroutedTag : Address{1} << choice;
  switch (dice.below(9)) {
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
    case 4:
      rule.cos = static_cast<std::uint8_t>(dice.below(4));
      break;
    case 5:
      rule.use = rule.use == Use::primary ? Use::always : Use::primary;
      break;
    case 6:
      if (rule.input) rule.input = topology::reverse(outputs[dice.below(outputs.size())]);
      break;
    case 7:
      rule.clears_tag = !rule.clears_tag;
      break;
    default:
      table.rules.erase(table.rules.begin() + static_cast<std::ptrdiff_t>(which));
  }
  sort_by_priority(table);
}

void corrupt(const Addressed& made, Table& table, RandomStream& dice) {
  if (table.fast_reroutes.empty() || dice.below(4) != 0) return corrupt_rule(made, table, dice);
  const std::size_t which = dice.below(table.fast_reroutes.size());
  const auto outputs = made.graph.outputs(made.graph.switch_node(table.of_switch));
  if (dice.below(3) == 0) {
    table.fast_reroutes.erase(table.fast_reroutes.begin() + static_cast<std::ptrdiff_t>(which));
  } else {
    FastReroute& reroute = table.fast_reroutes[which];
    const topology::ChannelId other = outputs[dice.below(outputs.size())];
    if (!reroute.untagged.empty()) {
      reroute.untagged[0] = other;
    } else {
      reroute.back = false;
      reroute.backup = other;
    }
  }
}

const Shape kShapes[] = {{"fbfly", {{"hosts", "2"}, {"dims", "3x4"}}},
                         {"fbfly", {{"hosts", "1"}, {"dims", "3x2x3"}}},
                         {"dragonfly", {{"p", "1"}, {"a", "3"}, {"h", "2"}}},
                         {"dragonfly", {{"p", "2"}, {"a", "3"}, {"h", "2"}, {"g", "5"}}},
                         {"clos", {{"ports", "4"}, {"levels", "3"}, {"hosts", "16"}}},
                         {"clos", {{"ports", "6"}, {"levels", "2"}, {"hosts", "18"}}},
                         // Parallel links share the hosts of a switch.
                         {"clos", {{"ports", "8"}, {"levels", "3"}, {"hosts", "32"}}},
                         {"torus", {{"hosts", "1"}, {"dims", "4x4"}}},
                         {"irregular", {{"switches", "11"}, {"degree", "4"}, {"hosts", "2"}}}};

TEST(ACheckOfBackupPaths, NoticesEveryCorruptionThatChangesForwarding) {
  RandomStream dice(2, "rules/corrupt alternatives");
  int tried = 0;
  int changing = 0;
  for (const Shape& shape : kShapes) {
    const Addressed made(shape);
    for (const BackupPaths backup_paths : {BackupPaths::injection, BackupPaths::everywhere}) {
      if (!made.maker.offers(backup_paths)) continue;
      for (const Detail detail : {Detail::per_group, Detail::compact}) {
        std::vector<Table> tables = made.tables(detail, backup_paths);
        const Traffic traffic(made, tables);
        for (int i = 0; i < 40; ++i) {
          ++tried;
          const std::size_t at = dice.below(tables.size());
          const Table whole = tables[at];
          corrupt(made, tables[at], dice);
          const bool changed = traffic.changed(tables[at]);
          changing += changed ? 1 : 0;
          const CheckReport quick = check(made.graph, made.plan, tables, &made.maker);
          EXPECT_TRUE(!changed || !quick.errors.empty())
              << shape.text() << " switch " << at << ", number " << tried;
          tables[at] = whole;
        }
      }
    }
  }
  EXPECT_GE(tried, 200);
  EXPECT_GT(changing, tried / 4);
}

}  // namespace
}  // namespace ebb::forwarding
