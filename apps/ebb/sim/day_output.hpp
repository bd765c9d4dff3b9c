// SPDX-License-Identifier: Apache-2.0
//
// A simulated day (docs/day.md): its run, and its result as text for people and as JSON.
#pragma once

#include "command_line/command.hpp"

#include "ebb/config/sim_file.hpp"
#include "ebb/day/day.hpp"
#include "ebb/power/library.hpp"

#include <cstdint>
#include <string>

namespace ebb::cli {

[[nodiscard]] std::string day_text(const day::DayReport& report);
[[nodiscard]] std::string day_json(const day::DayReport& report);
// Of a step in which nothing moves any more.
[[nodiscard]] std::string stalled_day_text(const day::StalledStep& stalled);

// Runs the day of the file and prints what came out.
[[nodiscard]] ExitCode simulate_day(const config::SimFile& file, const power::Library& parts,
                                    std::uint32_t threads, bool json);

}  // namespace ebb::cli
