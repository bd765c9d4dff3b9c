// SPDX-License-Identifier: Apache-2.0
#include "world/path_lengths.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ebb::validate {
namespace {

using topology::Graph;
using topology::NodeId;

// Every number of links that some choice of start and of candidates gives.
std::set<int> walk_all(const World& world, std::uint32_t from, std::uint32_t to) {
  const NodeId source = world.graph().host_node(from);
  const NodeId destination = world.graph().host_node(to);
  using Place = std::tuple<NodeId, std::uint32_t, std::uint8_t, std::uint8_t, int>;
  std::set<Place> seen;
  std::vector<std::tuple<NodeId, routing::RouteState, int>> open;
  for (const routing::RouteState& state : world.routing().all_starts(source, destination)) {
    open.emplace_back(world.switch_of(from), state, 0);
  }
  std::set<int> lengths;
  routing::Candidates outputs;
  while (!open.empty()) {
    const auto [at, state, links] = open.back();
    open.pop_back();
    if (!seen.insert({at, state.intermediate, state.phase, state.hops, links}).second) continue;
    world.routing().candidates(at, destination, state, outputs);
    const routing::Candidates now = outputs;
    for (const routing::Candidate& one : now) {
      const NodeId next = world.graph().target(one.channel);
      if (next == destination) {
        lengths.insert(links);
      } else if (!world.graph().is_host(next)) {
        open.emplace_back(next, world.routing().advance(at, one, state), links + 1);
      }
    }
  }
  return lengths;
}

// The shortest way with one global link at most, from the links of the graph.
int dragonfly_links(const Graph& graph, std::uint32_t group_size, NodeId from, NodeId to) {
  const auto group = [&](NodeId node) { return index(node) / group_size; };
  if (from == to) return 0;
  if (group(from) == group(to)) return 1;
  int least = 4;
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    topology::Link link = graph.link(topology::LinkId{l});
    if (graph.is_host(link.a) || graph.is_host(link.b)) continue;
    if (group(link.a) == group(to)) std::swap(link.a, link.b);
    if (group(link.a) != group(from) || group(link.b) != group(to)) continue;
    least = std::min(least, 1 + (link.a == from ? 0 : 1) + (link.b == to ? 0 : 1));
  }
  return least;
}

}  // namespace

bool has_many_lengths(const Setting& setting) {
  return setting.scheme == "valiant" || setting.scheme == "up-down-ways" ||
         (setting.scheme == "up-down" && setting.family == "clos_chassis");
}

PathLengths::PathLengths(const World& world, const Setting& setting)
    : world_(world), setting_(setting) {
  for (const auto& [key, value] : setting.parameters) {
    if (key == "a") group_size_ = static_cast<std::uint32_t>(std::stoul(value));
  }
}

std::set<int> PathLengths::of(std::uint32_t from, std::uint32_t to) const {
  const NodeId at = world_.switch_of(from);
  const NodeId destination = world_.switch_of(to);
  if (setting_.scheme == "up-down-ways") return {*walk_all(world_, from, to).begin()};
  if (has_many_lengths(setting_)) return walk_all(world_, from, to);
  if (setting_.scheme == "up-down-tree") {
    return {world_.routing().links_ahead(at, world_.graph().host_node(to), {})};
  }
  if (setting_.family == "dragonfly" && setting_.scheme != "shortest-path") {
    return {dragonfly_links(world_.graph(), group_size_, at, destination)};
  }
  return {distances_to(world_.graph(), destination)[index(at)]};
}

}  // namespace ebb::validate
