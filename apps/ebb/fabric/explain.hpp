// SPDX-License-Identifier: Apache-2.0
//
// Why a link is in the state that it is in, and what would have to change: asked of a running
// controller by ebb fabric explain.
#pragma once

#include "fabric/status.hpp"

#include "ebb/monitor/link_history.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace ebb::cli {

// The link is one between switches.
[[nodiscard]] nlohmann::ordered_json explain_json(const topology::Graph& graph,
                                                  const controller::Controller& controller,
                                                  const monitor::LinkHistory& history,
                                                  TimePoint now, topology::LinkId link);
// For people, from what explain_json gave.
[[nodiscard]] std::string explain_text(const nlohmann::ordered_json& explanation);

}  // namespace ebb::cli
