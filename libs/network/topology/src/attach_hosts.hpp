// SPDX-License-Identifier: Apache-2.0
//
// The host numbering that all families share: hosts s*c .. s*c+c-1 hang on switch s. Families call
// this before they join switches, so that the first ports of a switch are those of its hosts.
#pragma once

#include "ebb/topology/graph.hpp"

#include <cstdint>

namespace ebb::topology {

inline void attach_hosts(GraphBuilder& builder, std::uint32_t hosts, std::uint32_t per_switch) {
  for (std::uint32_t h = 0; h < hosts; ++h)
    builder.connect(builder.host_node(h), builder.switch_node(h / per_switch));
}

}  // namespace ebb::topology
