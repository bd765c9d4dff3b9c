// SPDX-License-Identifier: Apache-2.0
//
// A day of traffic as a sampled simulation: within a step of minutes traffic is stationary, so each
// step is simulated by itself, from an empty network, for a window that stands for the whole step.
// docs/day.md has the model.
//
//   auto day = prepare_day(file, library);
//   const auto report = run_day(std::move(*day), library, threads);
#pragma once

#include "ebb/config/day_spec.hpp"
#include "ebb/config/sim_file.hpp"
#include "ebb/config/simulation.hpp"
#include "ebb/core/result.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/power/ledger.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ebb::day {

// A day whose file was found to be sound.
struct Day {
  config::SimFile file;           // with the schedule of its steps
  config::Simulation simulation;  // of the first step, but with the spec of the day
  std::vector<config::DayStep> steps;
};

// Errors carry the place of the key that they are about, those of a row of the day its line. What
// only the load of a later step can make wrong is found when that step is run.
[[nodiscard]] Result<Day> prepare_day(const config::SimFile& file, const power::Library& library);

struct Latency {
  std::uint64_t count = 0;  // 0: nothing is known
  Duration mean{};
  Duration p50{};
  Duration p99{};
  Duration p99_9{};

  bool operator==(const Latency&) const = default;
};

// What is kept of the run of one window.
struct Sample {
  double offered_load = 0;  // of what the sending hosts' links carry
  double accepted_load = 0;
  Power channels;  // mean
  Power always_on;
  Power ideal;
  double relative_power = 0;
  double ideal_relative_power = 0;
  std::uint64_t messages = 0;
  std::uint64_t messages_unfinished = 0;
  Latency message_latency;
  Latency packet_latency;  // not of flows
  bool saturated = false;
  bool too_short = false;
  bool steady = true;
  std::vector<std::string> outside_validity;  // of flows: why they should not be trusted

  bool operator==(const Sample&) const = default;
};

struct StepReport {
  config::DayStep step;
  Energy energy;                // of the channels, of the whole step
  double standard_error_J = 0;  // of that energy
  Sample sample;

  bool operator==(const StepReport&) const = default;
};

struct MagnifiedReport {
  config::Magnified moment;
  std::size_t step = 0;  // that holds the moment
  Sample sample;         // with packets

  bool operator==(const MagnifiedReport&) const = default;
};

// Nothing moves any more although packets wait.
struct StalledStep {
  config::DayStep step;
  netsim::Stall stall;
  netsim::Fidelity fidelity = netsim::Fidelity::packet;  // magnified ones have packets
};

struct DayReport {
  config::Simulation simulation;  // as that of Day
  std::vector<StepReport> steps;
  std::vector<MagnifiedReport> magnified;
  power::Ledger ledger = power::Ledger({}, {}, {});  // of the whole day
  Energy always_on;                                  // of the channels, of the whole day
  Energy ideal;
  double standard_error_J = 0;         // of the energy of the channels
  std::optional<StalledStep> stalled;  // then the rest is not complete

  [[nodiscard]] Duration length() const { return steps.back().step.at + steps.back().step.length; }
};

// After every window, with how many are done of how many; from one thread at a time.
using OnWindow = std::function<void(std::size_t done, std::size_t all)>;

// Windows are divided over threads, each of which runs one at a time. The report is the same for
// any number of threads.
[[nodiscard]] Result<DayReport> run_day(Day day, const power::Library& library,
                                        std::uint32_t threads, const OnWindow& on_window = {});

}  // namespace ebb::day
