// SPDX-License-Identifier: Apache-2.0
//
// Whether tables are right: every host reaches every other, no frame runs in a circle, and no two
// rules of one priority disagree about a frame of the network.
//
// Hosts that no rule can tell apart are looked at together: all of a switch as destinations, and
// all whose addresses agree in the bits that rules look at as sources. So the cost grows with
// switches times switches, not with hosts times hosts; the answer is the same.
#pragma once

#include "ebb/core/error.hpp"
#include "ebb/rules/table.hpp"

#include <cstdint>
#include <span>

namespace ebb::rules {

struct CheckReport {
  std::uint64_t pairs = 0;      // of hosts that the answer holds for
  std::uint64_t questions = 0;  // that were put to tables
  Errors errors;                // at most kMostErrors; each names a switch and the addresses
};

inline constexpr std::size_t kMostErrors = 20;

// A table for each switch, in their order. With a maker every frame must also take the way that it
// meant; without, any way that arrives.
[[nodiscard]] CheckReport check(const topology::Graph& graph, const AddressPlan& plan,
                                std::span<const Table> tables, const TableMaker* maker = nullptr);

// The same by walking every pair of hosts: for small networks, and to check the above.
[[nodiscard]] CheckReport check_by_walking(const topology::Graph& graph, const AddressPlan& plan,
                                           std::span<const Table> tables,
                                           const TableMaker* maker = nullptr);

// Rules of one priority that match one frame and send it different ways. Complains only where some
// pair of hosts has such addresses.
[[nodiscard]] Errors ambiguities(const topology::Graph& graph, const AddressPlan& plan,
                                 const Table& table);

}  // namespace ebb::rules
