// SPDX-License-Identifier: Apache-2.0
#include "check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ebb::forwarding {
namespace {

using topology::Graph;

constexpr std::size_t kMostNamed = 6;  // channels of a circle

bool joins_switches(const Graph& graph, const topology::Link& link) {
  return !graph.is_host(link.a) && !graph.is_host(link.b);
}

std::string circle_text(const Graph& graph, std::span<const ClassedChannel> circle) {
  std::string text;
  for (const ClassedChannel& one : circle.first(std::min(circle.size(), kMostNamed))) {
    text += fmt::format("{}{} to {} in class {}", text.empty() ? "" : ", ",
                        graph.name(graph.source(one.channel)),
                        graph.name(graph.target(one.channel)), one.cos);
  }
  const std::size_t more = circle.size() - std::min(circle.size(), kMostNamed);
  return text + (more > 0 ? fmt::format(", and {} more", more) : "");
}

}  // namespace

Alternatives alternatives_of(std::span<const Table> tables) {
  return tables.empty() ? Alternatives::none : tables.front().alternatives;
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

void add_alternatives(const Graph& graph, const std::vector<bool>& lost,
                      const Dependencies& dependencies, CheckReport& report) {
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    if (!joins_switches(graph, graph.link(topology::LinkId{l}))) continue;
    ++report.links;
    if (!lost[l]) ++report.survived;
  }
  if (const auto circle = dependencies.circle()) {
    add_error(report,
              {"frames can wait for each other for ever: " + circle_text(graph, *circle), {}});
  }
}

}  // namespace ebb::forwarding
