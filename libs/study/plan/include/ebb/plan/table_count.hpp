// SPDX-License-Identifier: Apache-2.0
//
// Entries of the forwarding tables of a whole network, counted in tables that are generated for it.
// Networks of more than kMostTables switches are sampled: as many of their switches, spread evenly,
// stand for all. A flat table has an entry for each host on every switch, so none is generated.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>

namespace ebb::plan {

inline constexpr std::uint32_t kMostTables = 64;

struct TableCount {
  std::int64_t entries = 0;  // of all switches together
  // The entries of each table times the cabled ports of its switch: all of them take part in the
  // search for each packet that comes in by one of the ports.
  std::int64_t entries_by_port = 0;
  std::int64_t most = 0;  // of one switch

  bool operator==(const TableCount&) const = default;
};

// Refuses networks whose addresses do not fit (forwarding::AddressPlan).
[[nodiscard]] Result<TableCount> count_tables(const topology::Graph& graph,
                                              forwarding::Detail detail);

}  // namespace ebb::plan
