// SPDX-License-Identifier: Apache-2.0
//
// A routing as the tables that switches hold: for every switch and destination, the outputs that a
// packet may take. Schemes whose packets carry a state have a row for each choice that a state
// leaves. Who closes channels must leave one of every row open; then every packet arrives.
//
//   for (const Row& row : forwarding_rows(graph, *routing).value())
//     print(row.at, row.destination, row.channels);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/routing/deadlock.hpp"
#include "ebb/routing/routing.hpp"

#include <compare>
#include <cstdint>
#include <vector>

namespace ebb::routing {

struct Row {
  NodeId at{};
  NodeId destination{};             // the switch of the hosts that it is for
  std::vector<ChannelId> channels;  // to switches, ascending; never empty

  auto operator<=>(const Row&) const = default;
};

// Ascending, each row once. Every state that a packet can have is looked at, as in find_deadlock;
// fails in the same way when there are too many, or when the routing breaks its contract.
[[nodiscard]] Result<std::vector<Row>> forwarding_rows(const Graph& graph, const Routing& routing,
                                                       std::uint64_t budget = kMostPacketStates);

}  // namespace ebb::routing
