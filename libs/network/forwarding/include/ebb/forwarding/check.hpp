// SPDX-License-Identifier: Apache-2.0
//
// Whether tables are right: every host reaches every other, no frame runs in a loop, and no two
// rules of one priority disagree about a frame of the network. Of tables with backup paths also
// whether frames still arrive when any single link between switches is not live, wherever there is
// a backup path, and whether the channel dependencies have a cycle.
//
// Hosts that no rule can tell apart are looked at together: as destinations those of a switch whose
// numbers agree in the bits that rules of other switches look at, as sources all whose addresses
// agree in such bits. Frames that do not meet the
// dead link go as before, so it is enough to let every switch lose the output that it would use. So
// the cost grows with switches times switches, not with hosts times hosts times links; the answer
// is the same, for any number of threads.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/forwarding/table.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::forwarding {

struct CheckReport {
  std::uint64_t pairs = 0;      // of hosts that the answer holds for
  std::uint64_t questions = 0;  // that were put to tables
  // Of tables with backup paths:
  std::uint32_t links = 0;     // between switches
  std::uint32_t survived = 0;  // of these: without it every host still reaches every other
  std::vector<topology::LinkId> not_survived = {};  // the others, ascending
  std::uint32_t classes =
      0;          // of service; no channel-dependency cycle in them, or there is an error
  Errors errors;  // at most kMostErrors; each names a switch and the addresses
};

inline constexpr std::size_t kMostErrors = 20;

// A table for each switch, in their order. With a maker every frame must also take the path that it
// intended; without, any path that arrives. 0 threads: one for each core.
[[nodiscard]] CheckReport check(const topology::Graph& graph, const AddressPlan& plan,
                                std::span<const Table> tables, const TableMaker* maker = nullptr,
                                unsigned threads = 0);

// The same by walking every pair of hosts, and again without each link that the pair uses: for
// small networks, and to check the above.
[[nodiscard]] CheckReport check_by_walking(const topology::Graph& graph, const AddressPlan& plan,
                                           std::span<const Table> tables,
                                           const TableMaker* maker = nullptr);

// Rules of one priority that match one frame and treat it differently. Complains only where some
// pair of hosts has such addresses.
[[nodiscard]] Errors ambiguities(const topology::Graph& graph, const AddressPlan& plan,
                                 const Table& table);

}  // namespace ebb::forwarding
