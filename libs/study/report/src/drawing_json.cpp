// SPDX-License-Identifier: Apache-2.0
#include "document.hpp"

#include "ebb/files/document.hpp"
#include "ebb/report/layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace ebb::report {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::NodeId;

// Of the resolved configuration, which ebb wrote itself.
std::optional<files::TopologySpec> topology_of(const std::string& configuration) {
  files::Diagnostics errors("configuration");
  const auto root = files::read_yaml(configuration, errors);
  if (!root) return std::nullopt;
  files::Section section(*root, errors);
  const auto topology = section.find("topology");
  return topology ? files::read_topology_spec(*topology, errors) : std::nullopt;
}

std::string title_of(const Graph& graph) {
  std::string title = graph.origin().family;
  for (const auto& [name, value] : graph.origin().parameters) {
    title.append(" ").append(name).append("=").append(value);
  }
  return title;
}

// Ten thousandths of the width are finer than a pixel, and short.
double rounded(double value) { return std::round(value * 1e4) / 1e4; }

// Both directions of the links to the hosts of a switch.
Json host_channels(const Graph& graph, NodeId node) {
  Json channels = Json::array();
  for (const ChannelId out : graph.outputs(node)) {
    if (!graph.is_host(graph.target(out))) continue;
    channels.push_back(index(out));
    channels.push_back(index(reverse(out)));
  }
  return channels;
}

Json nodes_json(const Graph& graph, const std::vector<Point>& places) {
  Json nodes = Json::array();
  for (std::uint32_t i = 0; i < graph.switch_count(); ++i) {
    const NodeId node = graph.switch_node(i);
    nodes.push_back({{"name", graph.name(node)},
                     {"x", rounded(places[i].x)},
                     {"y", rounded(places[i].y)},
                     {"host_channels", host_channels(graph, node)}});
  }
  return nodes;
}

Json links_json(const Graph& graph, const std::vector<Line>& lines) {
  Json links = Json::array();
  for (const auto& [id, bend] : lines) {
    const topology::Link& link = graph.link(id);
    const ChannelId there = forward(id);
    links.push_back({{"a", index(link.a)},
                     {"b", index(link.b)},
                     {"bend", rounded(bend)},
                     {"channels", {index(there), index(reverse(there))}}});
  }
  return links;
}

std::optional<Json> drawing_of(const files::TopologySpec& spec) {
  const auto graph = files::build(spec);
  if (!graph || graph->switch_count() > kMostSwitchesDrawn) return std::nullopt;
  const Layout placed = layout(*graph);
  return Json{{"title", title_of(*graph)},
              {"nodes", nodes_json(*graph, placed.switches)},
              {"links", links_json(*graph, placed.lines)}};
}

}  // namespace

void Drawings::add(std::size_t position, const results::Run& run) {
  const auto spec = topology_of(run.configuration);
  if (!spec) return;
  auto at = std::find_if(drawn_.begin(), drawn_.end(),
                         [&](const Drawn& known) { return known.spec == *spec; });
  if (at == drawn_.end()) at = drawn_.insert(at, {*spec, {}, drawing_of(*spec)});
  at->runs.push_back(position);
}

Json Drawings::json() const {
  Json drawings = Json::array();
  for (const Drawn& each : drawn_) {
    if (!each.drawing) continue;
    Json drawing = {{"runs", each.runs}};
    drawing.update(*each.drawing);
    drawings.push_back(std::move(drawing));
  }
  return drawings;
}

}  // namespace ebb::report
