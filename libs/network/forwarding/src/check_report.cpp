// SPDX-License-Identifier: Apache-2.0

#include "check_report.hpp"

#include "ebb/forwarding/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ebb::forwarding {
namespace {

using topology::Graph;

constexpr std::size_t kMostNamed = 6;  // channels of a cycle

std::string cycle_text(const Graph& graph, std::span<const ClassedChannel> cycle) {
  std::string text;
  for (const ClassedChannel& one : cycle.first(std::min(cycle.size(), kMostNamed))) {
    text += fmt::format("{}{} to {} in class {}", text.empty() ? "" : ", ",
                        graph.name(graph.source(one.channel)),
                        graph.name(graph.target(one.channel)), one.cos);
  }
  const std::size_t more = cycle.size() - std::min(cycle.size(), kMostNamed);
  return text + (more > 0 ? fmt::format(", and {} more", more) : "");
}

}  // namespace

BackupPaths backup_paths_of(std::span<const Table> tables) {
  return tables.empty() ? BackupPaths::none : tables.front().backup_paths;
}

CheckReport report_for(const Graph& graph, std::span<const Table> tables) {
  CheckReport report;
  report.pairs = std::uint64_t{graph.host_count()} * (graph.host_count() - 1);
  std::uint8_t highest = 0;
  for (const Table& table : tables) {
    for (const Rule& rule : table.rules) highest = std::max(highest, rule.cos);
  }
  report.classes = std::uint32_t{highest} + 1;
  return report;
}

void add_error(CheckReport& report, Error error) {
  if (report.errors.size() < kMostErrors) report.errors.push_back(std::move(error));
}

void add_ambiguities(const Graph& graph, const AddressPlan& plan, std::span<const Table> tables,
                     CheckReport& report) {
  for (const Table& table : tables) {
    for (Error& error : ambiguities(graph, plan, table)) add_error(report, std::move(error));
  }
}

void add_backup_paths(const Graph& graph, const std::vector<bool>& lost,
                      const ChannelDependencies& dependencies, CheckReport& report) {
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    if (!graph.connects_switches(topology::LinkId{l})) continue;
    ++report.links;
    if (lost[l]) {
      report.not_survived.push_back(topology::LinkId{l});
    } else {
      ++report.survived;
    }
  }
  if (const auto cycle = dependencies.cycle()) {
    add_error(report, {"the channel dependencies have a cycle: " + cycle_text(graph, *cycle), {}});
  }
}

namespace {

using topology::Graph;

bool meet(const Match& a, const Match& b) { return ((a.value ^ b.value) & a.mask & b.mask) == 0; }

bool meet(const Rule& a, const Rule& b) {
  const bool inputs = !a.input || !b.input || a.input == b.input;
  return inputs && meet(a.destination, b.destination) && meet(a.source, b.source);
}

// They are asked in different rounds.
bool compete(const Rule& a, const Rule& b) {
  return (a.use == Use::backup) == (b.use == Use::backup);
}

bool treat_alike(const Rule& a, const Rule& b) {
  return a.output == b.output && a.use == b.use && a.cos == b.cos;
}

// A host whose address both match, rerouted or not.
std::optional<std::uint32_t> common_host(const Graph& graph, const AddressPlan& plan, Match a,
                                         Match b) {
  for (Match* match : {&a, &b})
    *match = {match->value & ~kReroutedTag, match->mask & ~kReroutedTag};
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const Address address = plan.of_host(h);
    if (a.matches(address) && b.matches(address)) return h;
  }
  return std::nullopt;
}

}  // namespace

Errors ambiguities(const Graph& graph, const AddressPlan& plan, const Table& table) {
  Errors errors;
  for (std::size_t i = 0; i < table.rules.size(); ++i) {
    const Rule& a = table.rules[i];
    for (std::size_t j = i + 1; j < table.rules.size(); ++j) {
      const Rule& b = table.rules[j];
      if (b.priority != a.priority) break;
      if (treat_alike(a, b) || !compete(a, b) || !meet(a, b)) continue;
      const auto to = common_host(graph, plan, a.destination, b.destination);
      if (!to || !common_host(graph, plan, a.source, b.source)) continue;
      errors.push_back({fmt::format("{}: two rules of priority {} match a frame to {}",
                                    graph.name(graph.switch_node(table.of_switch)), a.priority,
                                    graph.name(graph.host_node(*to))),
                        {}});
    }
  }
  return errors;
}

}  // namespace ebb::forwarding
