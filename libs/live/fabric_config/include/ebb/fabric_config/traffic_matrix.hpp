// SPDX-License-Identifier: Apache-2.0
//
// What hosts send to each other over a run, as a CSV file with a header; a pair may come more than
// once. Lines that begin with # say nothing.
//
//   from,to,amount
//   h0,h2,300MB
#pragma once

#include "ebb/controller/link_regulation.hpp"
#include "ebb/core/result.hpp"
#include "ebb/topology/graph.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ebb::fabric_config {

[[nodiscard]] Result<std::vector<controller::PairAmount>> read_traffic_matrix(
    const std::string& path, const topology::Graph& graph);
// `file` is named in errors.
[[nodiscard]] Result<std::vector<controller::PairAmount>> read_traffic_matrix_text(
    std::string_view text, const std::string& file, const topology::Graph& graph);

}  // namespace ebb::fabric_config
