// SPDX-License-Identifier: Apache-2.0
//
// Ports of a switch are numbered from 1 in the order of its links, as OpenFlow and ebb rules do.
#pragma once

#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>

namespace ebb::forwarding {

using PortNumber = std::uint32_t;

[[nodiscard]] PortNumber port_of(const topology::Graph& graph, topology::ChannelId output);
// Nothing when the switch has no such port.
[[nodiscard]] std::optional<topology::ChannelId> output_at(const topology::Graph& graph,
                                                           std::uint32_t device, PortNumber port);

}  // namespace ebb::forwarding
