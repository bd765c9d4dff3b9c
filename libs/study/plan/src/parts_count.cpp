// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/parts_count.hpp"

#include <algorithm>

namespace ebb::plan {
namespace {

using topology::Graph;
using topology::Link;
using topology::Medium;

int switch_ends(const Graph& graph, const Link& link) {
  return (graph.is_host(link.a) ? 0 : 1) + (graph.is_host(link.b) ? 0 : 1);
}

void count_link(const Graph& graph, const Link& link, PartsCount& count) {
  const int ends = switch_ends(graph, link);
  switch (link.medium) {
    case Medium::backplane:
      ++count.backplane_links;
      break;
    case Medium::electrical:
      ++count.electrical_links;
      count.electrical_ports += ends;
      break;
    case Medium::optical:
      ++count.optical_links;
      count.optical_ports += ends;
      break;
  }
}

}  // namespace

PartsCount count_parts(const Graph& graph, std::int64_t hosts, std::int64_t ports_per_chip) {
  PartsCount count;
  count.hosts = std::min<std::int64_t>(hosts, graph.host_count());
  count.chips = graph.switch_count();
  count.boxes = graph.switch_count() / graph.chips_per_box();
  count.ports_per_chip = ports_per_chip;
  const auto connected = static_cast<std::uint32_t>(count.hosts);
  for (const Link& link : graph.links()) {
    if (!beyond_hosts(graph, link, connected)) count_link(graph, link, count);
  }
  count.cables = count_cables(graph, connected);
  const std::int64_t all_ports = count.chips * ports_per_chip;
  const std::int64_t outside_ports = all_ports - 2 * count.backplane_links;
  const std::int64_t cabled = count.electrical_ports + count.optical_ports;
  count.unused_ports = outside_ports - cabled;
  count.lit_ports = count.backplane_links == 0 ? cabled : cabled * all_ports / outside_ports;
  return count;
}

}  // namespace ebb::plan
