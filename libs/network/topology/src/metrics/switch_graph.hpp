// SPDX-License-Identifier: Apache-2.0
//
// The switches of a graph without its hosts, laid out for searches: neighbours are switch numbers,
// parallel links are one entry with a weight.
#pragma once

#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::topology {

struct SwitchGraph {
  explicit SwitchGraph(const Graph& graph);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(hosts.size()); }
  [[nodiscard]] std::span<const std::uint32_t> neighbours_of(std::uint32_t s) const {
    return std::span(neighbours).subspan(first[s], first[s + 1] - first[s]);
  }

  std::vector<std::uint32_t> first;  // switch -> index into neighbours, and one past the end
  std::vector<std::uint32_t> neighbours;
  std::vector<std::uint32_t> links;  // parallel to neighbours: links that lead there
  std::vector<std::uint32_t> hosts;  // hosts whose first link ends at the switch
};

}  // namespace ebb::topology
