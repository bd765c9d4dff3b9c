// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::topology {
namespace {

void check_ladders(const Graph& graph, Errors& errors) {
  for (std::size_t i = 0; i < graph.ladders().size(); ++i) {
    const RateLadder& ladder = graph.ladders()[i];
    const std::string path = fmt::format("ladders[{}]", i);
    if (ladder.empty()) {
      errors.push_back({"a rate ladder needs at least one rate", {.path = path}});
      continue;
    }
    if (ladder.front().count() <= 0) errors.push_back({"rates must be positive", {.path = path}});
    const auto wrong = std::adjacent_find(ladder.begin(), ladder.end(), std::greater_equal<>());
    if (wrong != ladder.end())
      errors.push_back({"the rates of a ladder must ascend", {.path = path}});
  }
}

void check_hosts(const Graph& graph, Errors& errors) {
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const NodeId host = graph.host_node(h);
    if (graph.outputs(host).empty())
      errors.push_back({fmt::format("host {} has no link", graph.name(host)), {}});
  }
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    if (!graph.is_host(link.a) || !graph.is_host(link.b)) continue;
    errors.push_back({fmt::format("host {} is linked to host {}; a host needs a switch",
                                  graph.name(link.a), graph.name(link.b)),
                      {.path = fmt::format("links[{}]", l)}});
  }
}

std::string names_of(const Graph& graph, const std::vector<NodeId>& nodes) {
  constexpr std::size_t kMostNames = 10;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMostNames, nodes.size()); ++i)
    names.push_back(graph.name(nodes[i]));
  const std::string rest = nodes.size() > kMostNames
                               ? fmt::format(" and {} more", nodes.size() - kMostNames)
                               : std::string();
  return fmt::format("{}{}", fmt::join(names, ", "), rest);
}

// One error per part, measured from the largest one. A lone host has been named already.
void check_reach(const Graph& graph, Errors& errors) {
  const Components parts = components(graph);
  if (parts.count <= 1) return;
  std::vector<std::vector<NodeId>> nodes(parts.count);
  for (std::uint32_t n = 0; n < graph.node_count(); ++n)
    nodes[parts.of_node[n]].push_back(NodeId{n});
  const auto largest = std::max_element(
      nodes.begin(), nodes.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (auto part = nodes.begin(); part != nodes.end(); ++part) {
    if (part == largest || (part->size() == 1 && graph.is_host(part->front()))) continue;
    errors.push_back({fmt::format("{} cannot be reached from {}", names_of(graph, *part),
                                  graph.name(largest->front())),
                      {}});
  }
}

}  // namespace

Errors check(const Graph& graph) {
  Errors errors;
  check_ladders(graph, errors);
  check_hosts(graph, errors);
  check_reach(graph, errors);
  return errors;
}

}  // namespace ebb::topology
