// SPDX-License-Identifier: Apache-2.0
//
// What `ebb topo info` tells of a network: measured on the graph, with the closed form of its
// family where one exists.
#pragma once

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <optional>
#include <string>

namespace ebb::cli {

struct TopologyInfo {
  std::string origin;
  std::uint32_t hosts = 0;
  std::uint32_t switches = 0;
  std::uint32_t boxes = 0;
  std::uint32_t links = 0;
  topology::LinkCounts by_medium;
  topology::Degrees ports;
  topology::Distances distances;
  bool connected = false;
  std::optional<topology::Figures> closed_form;
  std::optional<topology::BisectionEstimate> estimate;  // only without a closed form
  std::size_t bytes = 0;
};

[[nodiscard]] TopologyInfo describe(const topology::Graph& graph);
[[nodiscard]] std::string info_text(const TopologyInfo& info);
[[nodiscard]] std::string info_json(const TopologyInfo& info);

}  // namespace ebb::cli
