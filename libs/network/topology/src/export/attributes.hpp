// SPDX-License-Identifier: Apache-2.0
//
// The texts that both export formats write.
#pragma once

#include "ebb/topology/graph.hpp"

#include <string>

namespace ebb::topology {

[[nodiscard]] std::string metres_text(const Link& link);                    // exact: "5.6"
[[nodiscard]] std::string rate_text(const Graph& graph, const Link& link);  // "40Gb/s"

}  // namespace ebb::topology
