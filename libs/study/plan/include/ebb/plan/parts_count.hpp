// SPDX-License-Identifier: Apache-2.0
//
// What has to be bought for a network: counted on the graph, cable by cable.
#pragma once

#include "ebb/plan/table_count.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/placement.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::plan {

struct PartsCount {
  std::int64_t hosts = 0;
  std::int64_t chips = 0;
  std::int64_t boxes = 0;
  std::int64_t ports_per_chip = 0;
  std::int64_t electrical_links = 0;
  std::int64_t optical_links = 0;
  std::int64_t backplane_links = 0;
  std::int64_t electrical_ports = 0;  // switch ports with such a cable
  std::int64_t optical_ports = 0;
  std::int64_t unused_ports = 0;  // free switch ports
  // Chip ports that draw power when each cabled port also lights the backplane it needs: a chassis
  // with i internal ports for each of its outside ports has 1 + i lit ports per cable. "Energy
  // Proportional Datacenter Networks" counts 8,192 of its 8,235 chips as powered by this rule.
  std::int64_t lit_ports = 0;
  std::vector<topology::CableGroup> cables;  // by medium and length
  std::optional<TableCount> tables;          // where the plan asks for them
};

// Only the first `hosts` hosts are connected; what the network could hold beyond stays unused.
[[nodiscard]] PartsCount count_parts(const topology::Graph& graph, std::int64_t hosts,
                                     std::int64_t ports_per_chip);

}  // namespace ebb::plan
