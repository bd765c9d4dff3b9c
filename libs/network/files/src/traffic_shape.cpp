// SPDX-License-Identifier: Apache-2.0
#include "ebb/files/traffic_shape.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/units/parameters.hpp"

#include <algorithm>
#include <optional>

namespace ebb::files {
namespace {

using topology::Graph;
using topology::NodeId;

// A host is served by its first link.
NodeId switch_of(const Graph& graph, std::uint32_t host) {
  return graph.target(graph.outputs(graph.host_node(host)).front());
}

// 0 unless hosts come in equal runs, each run on a switch of its own.
std::uint32_t hosts_per_switch(const Graph& graph) {
  const std::uint32_t hosts = graph.host_count();
  if (hosts == 0) return 0;
  std::uint32_t run = 1;
  while (run < hosts && switch_of(graph, run) == switch_of(graph, 0)) ++run;
  std::vector<bool> seen(graph.switch_count());
  for (std::uint32_t host = 0; host < hosts; ++host) {
    const std::uint32_t at = index(switch_of(graph, host));
    const bool first_of_run = host % run == 0;
    if (first_of_run ? seen[at] : switch_of(graph, host - 1) != NodeId{at}) return 0;
    seen[at] = true;
  }
  return hosts % run == 0 ? run : 0;
}

std::vector<std::uint32_t> dims_of(const topology::Family& family, const Parameters& parameters) {
  const bool grid = std::any_of(family.parameters.begin(), family.parameters.end(),
                                [](const Parameter& known) { return known.name == "dims"; });
  std::vector<std::uint32_t> dims;
  if (!grid) return dims;
  for (const std::int64_t k : parameters.list("dims"))
    dims.push_back(static_cast<std::uint32_t>(k));
  return dims;
}

}  // namespace

traffic::Shape traffic_shape(const Graph& graph) {
  traffic::Shape shape{.hosts = graph.host_count(), .hosts_per_switch = hosts_per_switch(graph)};
  const topology::Origin& origin = graph.origin();
  const auto family = topology::find_family(origin.family);
  if (!family) return shape;  // imported
  const auto figures = topology::figures(origin.family, origin.parameters);
  const auto parameters = Parameters::resolve((*family)->parameters, origin.parameters);
  if (!figures || !parameters) return shape;
  const std::int64_t group = figures->access_switches_per_group * figures->hosts_per_access_switch;
  if (figures->groups > 1 && group <= shape.hosts)
    shape.hosts_per_group = static_cast<std::uint32_t>(group);
  shape.dims = dims_of(**family, *parameters);
  return shape;
}

}  // namespace ebb::files
