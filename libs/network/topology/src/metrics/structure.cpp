// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ebb::topology {

Components components(const Graph& graph) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  Components result;
  result.of_node.assign(graph.node_count(), kNone);
  std::vector<NodeId> open;
  for (std::uint32_t n = 0; n < graph.node_count(); ++n) {
    if (result.of_node[n] != kNone) continue;
    result.of_node[n] = result.count;
    open.push_back(NodeId{n});
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      for (const ChannelId channel : graph.outputs(node)) {
        const NodeId next = graph.target(channel);
        if (result.of_node[index(next)] != kNone) continue;
        result.of_node[index(next)] = result.count;
        open.push_back(next);
      }
    }
    ++result.count;
  }
  return result;
}

bool connected(const Graph& graph) { return components(graph).count <= graph.planes(); }

Degrees degrees(const Graph& graph) {
  Degrees result;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const auto ports = static_cast<std::uint32_t>(graph.outputs(graph.switch_node(s)).size());
    if (ports >= result.switches_with.size()) result.switches_with.resize(ports + 1, 0);
    ++result.switches_with[ports];
    result.most = std::max(result.most, ports);
    result.least = s == 0 ? ports : std::min(result.least, ports);
  }
  return result;
}

bool has_hosts(const Graph& graph, std::uint32_t of_switch) {
  const auto outputs = graph.outputs(graph.switch_node(of_switch));
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](ChannelId output) { return graph.is_host(graph.target(output)); });
}

LinkCounts links_by_medium(const Graph& graph) {
  LinkCounts counts;
  for (const Link& link : graph.links()) {
    switch (link.medium) {
      case Medium::electrical:
        ++counts.electrical;
        break;
      case Medium::optical:
        ++counts.optical;
        break;
      case Medium::backplane:
        ++counts.backplane;
        break;
    }
  }
  return counts;
}

namespace {

void check_rate_tables(const Graph& graph, Errors& errors) {
  for (std::size_t i = 0; i < graph.rate_tables().size(); ++i) {
    const RateTable& rate_table = graph.rate_tables()[i];
    const std::string path = fmt::format("rate_tables[{}]", i);
    if (rate_table.empty()) {
      errors.push_back({"a rate table needs at least one rate", {.path = path}});
      continue;
    }
    if (rate_table.front().count() <= 0)
      errors.push_back({"rates must be positive", {.path = path}});
    const auto wrong =
        std::adjacent_find(rate_table.begin(), rate_table.end(), std::greater_equal<>());
    if (wrong != rate_table.end())
      errors.push_back({"the rates of a rate table must ascend", {.path = path}});
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
  if (parts.count <= graph.planes()) return;
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
  check_rate_tables(graph, errors);
  check_hosts(graph, errors);
  check_reach(graph, errors);
  return errors;
}

}  // namespace ebb::topology
