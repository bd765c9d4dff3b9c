// SPDX-License-Identifier: Apache-2.0
//
// Forwarding tables in a plan: how many rules they have, by equation and by counting generated
// tables, and the memory that holds them.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/power/library.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>

namespace ebb::plan {

// Forwarding rules of an access switch: equation (1) of "On the Use of Commodity Ethernet
// Technology in Exascale HPC Systems", R = (G - 1) + (S - 1) + T for G groups of S access switches
// with T hosts each.
struct RuleCount {
  std::int64_t flat = 0;        // one rule per host
  std::int64_t per_switch = 0;  // two levels: G = 1, S = all access switches
  std::int64_t per_group = 0;   // three levels
};

[[nodiscard]] RuleCount count_rules(const topology::Properties& properties);

// Entries of the forwarding tables of a whole network, counted in tables that are generated for it.
// Networks of more than kMostTables switches are sampled: as many of their switches, spread evenly,
// stand for all. A flat table has an entry for each host on every switch, so none is generated.
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

// The forwarding memory that a plan asks for, in the part that is to have it.
// Refuses a switch without such a memory, and a CAM for rules that have masks. `inputs.tables` must
// be given.
[[nodiscard]] Result<const power::ForwardingTable*> table_of(const Inputs& inputs,
                                                             const power::Library& library);

}  // namespace ebb::plan
