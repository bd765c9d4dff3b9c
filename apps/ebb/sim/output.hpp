// SPDX-License-Identifier: Apache-2.0
//
// A run as a summary for people. As JSON it is results::to_json.
#pragma once

#include "command_line/command.hpp"

#include "ebb/results/summary.hpp"

#include <string>

namespace ebb::cli {

[[nodiscard]] std::string sim_text(const results::Summary& result);

// A stalled network did not do what networks are for. Saturation is a result like another.
[[nodiscard]] inline ExitCode exit_code(const netsim::Report& report) {
  return report.stall ? ExitCode::not_met : ExitCode::done;
}

}  // namespace ebb::cli
