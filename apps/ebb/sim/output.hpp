// SPDX-License-Identifier: Apache-2.0
//
// A run as a summary for people. As JSON it is results::to_json.
#pragma once

#include "command_line/command.hpp"

#include "ebb/results/summary.hpp"

#include <algorithm>
#include <string>

namespace ebb::cli {

[[nodiscard]] std::string sim_text(const results::Summary& result);
// The part of it about jobs.
[[nodiscard]] std::string jobs_text(const results::Summary& result);

// Why nothing moves any more: of flows the channels that carry nothing, of packets a chain of what
// waits.
[[nodiscard]] std::string stall_notice(const netsim::Stall& stall, netsim::Fidelity fidelity);

// What ran, in a line or two.
[[nodiscard]] std::string what_ran(const config::Simulation& simulation);

// A stalled network did not do what networks are for, nor one whose jobs were not done in time.
// Saturation is a result like another.
[[nodiscard]] inline ExitCode exit_code(const netsim::Report& report) {
  const bool done = !report.stall && std::ranges::all_of(report.jobs, &netsim::JobReport::done);
  return done ? ExitCode::done : ExitCode::not_met;
}

}  // namespace ebb::cli
