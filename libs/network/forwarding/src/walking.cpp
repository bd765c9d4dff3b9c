// SPDX-License-Identifier: Apache-2.0
//
// The plain check: every pair of hosts, frame by frame, rule by rule.
#include "check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;
using topology::NodeId;

bool matches(const Rule& rule, const Frame& frame) {
  return rule.destination.matches(frame.destination) && rule.source.matches(frame.source) &&
         (!rule.input || rule.input == frame.input);
}

// The first that matches: rules descend by priority.
const Rule* decides(const Table& table, const Frame& frame) {
  for (const Rule& rule : table.rules) {
    if (rule.use != Use::backup && matches(rule, frame)) return &rule;
  }
  return nullptr;
}

struct Sent {
  ClassedChannel on;
  bool reroutes = false;
};

// Where a frame goes whose output is dead; nothing: nowhere.
std::optional<Sent> falls_over(const Table& table, const Rule& rule, const Frame& frame,
                               LinkId dead, std::size_t choice, bool& more) {
  if (rule.use != Use::primary) return std::nullopt;
  if (const FastReroute* reroute = table.fast_reroute(rule.output)) {
    const RerouteChoices offered(*reroute, frame);
    if (offered.empty()) return std::nullopt;
    const Rerouted taken = offered[std::min(choice, offered.size() - 1)];
    more = choice + 1 < offered.size();
    return Sent{{taken.output, rule.cos}, taken.tagged};
  }
  for (const Rule& other : table.rules) {
    if (other.use == Use::backup && matches(other, frame) && link_of(other.output) != dead)
      return Sent{{other.output, other.cos}, false};
  }
  return std::nullopt;
}

class Walker {
 public:
  Walker(const Graph& graph, const AddressPlan& plan, std::span<const Table> tables,
         const TableMaker* maker)
      : lost(graph.link_count()),
        report(report_for(graph, tables)),
        dependencies(graph, report.classes),
        graph_(graph),
        plan_(plan),
        tables_(tables),
        maker_(maker) {}

  // With every link, then without each that was used between switches.
  void look(std::uint32_t from, std::uint32_t to) {
    from_ = from;
    to_ = to;
    const std::vector<LinkId> used = walk(std::nullopt);
    if (backup_paths_of(tables_) == BackupPaths::none) return;
    for (const LinkId link : used) {
      // With each choice that a switch has, as if those before it were not live either.
      for (choice_ = 0, more_ = true; more_; ++choice_) {
        more_ = false;
        (void)walk(link);
      }
    }
    choice_ = 0;
  }

  std::vector<bool> lost;
  CheckReport report;
  ChannelDependencies dependencies;

 private:
  // The links between switches that a frame takes.
  std::vector<LinkId> walk(std::optional<LinkId> dead) {
    Frame frame{graph_.outputs(graph_.host_node(from_)).front(), plan_.of_host(from_),
                plan_.of_host(to_)};
    std::vector<LinkId> used;
    std::optional<ClassedChannel> before;
    bool diverted = false;
    while (true) {
      const std::uint32_t at = index(graph_.target(*frame.input));
      const auto sent = step(at, frame, dead, diverted);
      if (!sent) return used;
      const NodeId next = graph_.target(sent->channel);
      if (graph_.is_host(next)) {
        if (graph_.host_number(next) != to_) complain(at, "gives it to " + graph_.name(next));
        return used;
      }
      if (before) dependencies.add(*before, *sent);
      before = sent;
      used.push_back(link_of(sent->channel));
      frame.input = sent->channel;
      if (used.size() > 2 * std::size_t{graph_.switch_count()}) {
        complain(at, "sends it in a loop");
        return used;
      }
    }
  }

  std::optional<ClassedChannel> step(std::uint32_t at, Frame& frame, std::optional<LinkId> dead,
                                     bool& diverted) {
    ++report.questions;
    const Table& table = tables_[at];
    const Rule* rule = decides(table, frame);
    if (rule == nullptr) {
      complain(at, "has no rule for it");
      return std::nullopt;
    }
    check_intended(table, *rule, frame);
    if (!dead || link_of(rule->output) != *dead) {
      if (rule->clears_tag) frame.destination &= ~kReroutedTag;
      return ClassedChannel{rule->output, rule->cos};
    }
    const auto sent = falls_over(table, *rule, frame, *dead, choice_, more_);
    if (choice_ == 0) check_intended_backup(table, sent, frame);
    if (!sent || link_of(sent->on.channel) == *dead ||
        graph_.is_host(graph_.target(sent->on.channel))) {
      if (!sent && !diverted) lost[index(*dead)] = true;
      if (sent || diverted) complain(at, "loses it after a reroute");
      return std::nullopt;
    }
    diverted = true;
    if (sent->reroutes) frame.destination |= kReroutedTag;
    return sent->on;
  }

  void check_intended(const Table& table, const Rule& rule, const Frame& frame) {
    if (maker_ == nullptr) return;
    const bool rerouted = (frame.destination & kReroutedTag) != 0;
    if (maker_->intended(table, from_, to_, rerouted, frame.input) !=
        TableMaker::NextHop{rule.output, rule.cos, rule.clears_tag})
      complain(table.of_switch, "sends it by another path than intended");
  }

  void check_intended_backup(const Table& table, const std::optional<Sent>& sent,
                             const Frame& frame) {
    if (maker_ == nullptr) return;
    const auto intended = maker_->intended_backup(table, from_, to_, frame);
    const bool same =
        sent ? intended == TableMaker::NextHop{sent->on.channel, sent->on.cos} : !intended;
    if (!same) complain(table.of_switch, "reroutes it otherwise than intended");
  }

  void complain(std::uint32_t at, const std::string& what) {
    add_error(
        report,
        {fmt::format("a frame from {} to {}: {} {}", graph_.name(graph_.host_node(from_)),
                     graph_.name(graph_.host_node(to_)), graph_.name(graph_.switch_node(at)), what),
         {}});
  }

  const Graph& graph_;
  const AddressPlan& plan_;
  std::span<const Table> tables_;
  const TableMaker* maker_;
  std::uint32_t from_ = 0;
  std::uint32_t to_ = 0;
  std::size_t choice_ = 0;  // of those that a fast reroute offers
  bool more_ = false;       // there are further ones
};

}  // namespace

CheckReport check_by_walking(const Graph& graph, const AddressPlan& plan,
                             std::span<const Table> tables, const TableMaker* maker) {
  Walker walker(graph, plan, tables, maker);
  for (std::uint32_t to = 0; to < graph.host_count(); ++to) {
    for (std::uint32_t from = 0; from < graph.host_count(); ++from) {
      if (from != to) walker.look(from, to);
    }
  }
  if (backup_paths_of(tables) != BackupPaths::none)
    add_backup_paths(graph, walker.lost, walker.dependencies, walker.report);
  add_ambiguities(graph, plan, tables, walker.report);
  return std::move(walker.report);
}

}  // namespace ebb::forwarding
