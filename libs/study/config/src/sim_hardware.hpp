// SPDX-License-Identifier: Apache-2.0
//
// The `hardware:`, `schedule:` and `series:` sections of a simulation, and the time in `parts:`.
// Keys that are left out keep their defaults. sim_text.cpp writes them again with the same words.
//
//   netsim::Hardware hardware;                   // the defaults
//   read_hardware(sim, hardware);                // `sim` is the whole document
//   read_schedule(sim, spec);
#pragma once

#include "ebb/config/sim_file.hpp"
#include "ebb/files/document.hpp"
#include "ebb/netsim/experiment.hpp"
#include "ebb/netsim/hardware.hpp"

#include <optional>
#include <string_view>

namespace ebb::config {

void read_hardware(files::Section& sim, netsim::Hardware& hardware);
void read_schedule(files::Section& sim, SimSpec& spec);
// `rate_change`, or `wake` of a fabric; nothing: it is not there, or was refused.
[[nodiscard]] std::optional<Duration> read_change_time(files::Section& parts, std::string_view key);
void read_series(files::Section& sim, std::optional<Duration>& every);

// A time within limits; nothing after an error.
[[nodiscard]] std::optional<Duration> between(const files::Value& value, Duration least,
                                              Duration most, files::Diagnostics& errors);

inline constexpr std::string_view kAuto = "auto";
inline constexpr std::string_view kNever = "never";
[[nodiscard]] std::string_view to_text(netsim::Switching switching);
[[nodiscard]] std::string_view to_text(netsim::OutputSelection selection);
[[nodiscard]] std::string_view to_text(netsim::CreditPath credits);
[[nodiscard]] std::string_view to_text(netsim::FlowControl flow_control);

}  // namespace ebb::config
