// SPDX-License-Identifier: Apache-2.0
//
// Names of links and fabrics, as operators say them and as every output of a controller shows them.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ebb::runtime {

// And not the link of a host.
[[nodiscard]] std::uint32_t links_between_switches(const topology::Graph& graph);
// "s1-s2", and with its number where links are parallel: "s1-s2.1".
[[nodiscard]] std::string link_name(const topology::Graph& graph, topology::LinkId link);
[[nodiscard]] std::optional<topology::LinkId> link_named(const topology::Graph& graph,
                                                         const std::string& name);

// The fabric that was named, else the only one. Switches elsewhere have a controller here, but no
// manifest.
[[nodiscard]] Result<std::string> fabric_named(const std::string& name,
                                               const testbed::StateFolder& state);

}  // namespace ebb::runtime
