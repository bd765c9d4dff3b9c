// SPDX-License-Identifier: Apache-2.0
#include "ebb/routing/forwarding.hpp"

#include "access.hpp"
#include "packet_states/packet_states.hpp"

#include <algorithm>
#include <iterator>

namespace ebb::routing {
namespace {

void drop_duplicates(std::vector<Row>& rows) {
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

Row row_of(const PacketStates& states, const PacketStates::Visit& visit, NodeId destination) {
  Row row{visit.place.at, destination, {}};
  for (const Candidate& output : states.outputs(visit)) row.channels.push_back(output.channel);
  std::sort(row.channels.begin(), row.channels.end());
  row.channels.erase(std::unique(row.channels.begin(), row.channels.end()), row.channels.end());
  return row;
}

}  // namespace

Result<std::vector<Row>> forwarding_rows(const Graph& graph, const Routing& routing,
                                         std::uint64_t budget) {
  PacketStates states(graph, routing, budget);
  std::vector<Row> all;
  for (std::uint32_t d = 0; d < graph.host_count(); ++d) {
    const NodeId host = graph.host_node(d);
    if (auto done = states.explore(host); !done) return fail(done.error());
    std::vector<Row> rows;
    for (const PacketStates::Visit& visit : states.visits()) {
      if (visit.size > 0) rows.push_back(row_of(states, visit, access_switch(graph, host)));
    }
    drop_duplicates(rows);
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  drop_duplicates(all);
  return all;
}

}  // namespace ebb::routing
