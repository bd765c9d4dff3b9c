// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/netsim/report.hpp"
#include "ebb/results/run.hpp"
#include "ebb/topology/graph.hpp"

#include <vector>

namespace ebb::results {

// What each channel did, by number.
[[nodiscard]] std::vector<Channel> channel_rows(const topology::Graph& graph,
                                                const netsim::Report& report);

}  // namespace ebb::results
