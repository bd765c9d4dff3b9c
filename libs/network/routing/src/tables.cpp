// SPDX-License-Identifier: Apache-2.0
#include "tables.hpp"

#include "schemes.hpp"

#include <fmt/format.h>

namespace ebb::routing {
namespace {

std::vector<NodeId> switches_with_hosts(const Graph& graph) {
  std::vector<bool> has_hosts(graph.switch_count(), false);
  for (std::uint32_t h = 0; h < graph.host_count(); ++h)
    has_hosts[index(access_switch(graph, graph.host_node(h)))] = true;
  std::vector<NodeId> found;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    if (has_hosts[s]) found.push_back(graph.switch_node(s));
  }
  return found;
}

}  // namespace

Tables::Tables(const Graph& graph)
    : switches_(graph.switch_count()),
      row_of_(graph.switch_count(), 0),
      destinations_(switches_with_hosts(graph)),
      entries_(destinations_.size() * switches_, kUnreachable) {
  for (std::size_t i = 0; i < destinations_.size(); ++i) row_of_[index(destinations_[i])] = i;
}

Result<void> Tables::check_size(const Graph& graph, std::uint64_t tables) {
  const std::uint64_t bytes = tables * switches_with_hosts(graph).size() * graph.switch_count();
  if (bytes <= kMostTableBytes) return {};
  return fail(
      fmt::format("tables for {} switches would take {} MB; ebb makes them up to {} MB. "
                  "The routings of this family, if there are any, need none",
                  graph.switch_count(), bytes >> 20U, kMostTableBytes >> 20U));
}

std::size_t Tables::memory_bytes() const {
  return row_of_.capacity() * sizeof(std::size_t) + destinations_.capacity() * sizeof(NodeId) +
         entries_.capacity();
}

}  // namespace ebb::routing
