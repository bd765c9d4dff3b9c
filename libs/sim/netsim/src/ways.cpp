// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/ways.hpp"

#include "ebb/routing/forwarding.hpp"

namespace ebb::netsim {

Result<std::vector<policy::Way>> ways_of(const topology::Graph& graph,
                                         const routing::Routing& routing) {
  const auto rows = routing::forwarding_rows(graph, routing);
  if (!rows) return fail(rows.error());
  std::vector<policy::Way> ways;
  ways.reserve(rows->size());
  for (const routing::Row& row : *rows) {
    policy::Way& way = ways.emplace_back();
    way.device = index(row.at);
    way.destination = index(row.destination);
    for (const topology::ChannelId channel : row.channels)
      way.channels.push_back(policy::ChannelId{index(channel)});
  }
  return ways;
}

}  // namespace ebb::netsim
