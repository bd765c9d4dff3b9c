// SPDX-License-Identifier: Apache-2.0
//
// One line on standard error that tells how far a run is: phase, simulated time, speed, time left.
// Nothing is written unless standard error is a terminal.
#pragma once

#include "ebb/netsim/experiment.hpp"

#include <chrono>
#include <string>

namespace ebb::cli {

class ProgressLine {
 public:
  explicit ProgressLine(const netsim::Schedule& schedule);

  [[nodiscard]] bool shown() const { return shown_; }
  void show(const netsim::Progress& progress);
  // Replaces the line by what the whole run took.
  void finish(const netsim::Report& report);

 private:
  using Clock = std::chrono::steady_clock;

  void write(std::string text) const;
  [[nodiscard]] double seconds() const;
  [[nodiscard]] std::string time_left(const netsim::Progress& progress) const;

  netsim::Schedule schedule_;
  bool shown_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_{};
  TimePoint simulated_{};
};

}  // namespace ebb::cli
