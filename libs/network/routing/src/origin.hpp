// SPDX-License-Identifier: Apache-2.0
//
// Schemes that compute ports from indices need a graph that is exactly what its family makes.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>

namespace ebb::routing {

// Builds the family's network once more and compares link by link: where links end and in which
// order, not their lengths and rates. A tenth of a second for 300,000 hosts.
[[nodiscard]] Result<void> check_origin(const topology::Graph& graph);

// Of a graph that passed check_origin.
[[nodiscard]] Parameters parameters_of(const topology::Graph& graph);

// Refuses more legal outputs than Candidates holds.
[[nodiscard]] Result<void> check_width(std::uint64_t candidates);

}  // namespace ebb::routing
