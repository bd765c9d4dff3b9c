// SPDX-License-Identifier: Apache-2.0
//
// Where a host hangs: its first link.
#pragma once

#include "ebb/routing/routing.hpp"

namespace ebb::routing {

[[nodiscard]] inline NodeId access_switch(const Graph& graph, NodeId host) {
  return graph.target(graph.outputs(host).front());
}

// The last step of every route.
[[nodiscard]] inline Candidate delivery(const Graph& graph, NodeId host) {
  return {topology::reverse(graph.outputs(host).front()), 0};
}

}  // namespace ebb::routing
