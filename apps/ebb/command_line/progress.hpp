// SPDX-License-Identifier: Apache-2.0
//
// How far a command is: one line on standard error that is replaced as the work goes on. Nothing is
// written unless standard error is a terminal.
#pragma once

#include "ebb/netsim/experiment.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace ebb::cli {

class StatusLine {
 public:
  StatusLine();

  [[nodiscard]] bool shown() const { return shown_; }
  // Whether the last line is old enough to be replaced.
  [[nodiscard]] bool due();
  void write(std::string text) const;
  void clear() const;
  // Since it was made.
  [[nodiscard]] double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  bool shown_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_{};
};

// A time that somebody waits: "40 s", "12 min", "3.5 h".
[[nodiscard]] std::string wall_text(double seconds);

// On the status line, when it is due: how many steps are done, how many a second, time left.
void show_steps(StatusLine& line, std::string_view step, std::size_t done, std::size_t all);

// How far a run is, on the status line: phase, simulated time, speed, time left.
class ProgressLine {
 public:
  explicit ProgressLine(const netsim::Schedule& schedule) : schedule_(schedule) {}

  [[nodiscard]] bool shown() const { return line_.shown(); }
  void show(const netsim::Progress& progress);
  // Replaces the line by what the whole run took.
  void finish(const netsim::Report& report);

 private:
  [[nodiscard]] Duration total(const netsim::Progress& progress) const;
  [[nodiscard]] std::string time_left(const netsim::Progress& progress) const;

  netsim::Schedule schedule_;
  StatusLine line_;
  TimePoint simulated_{};
};

}  // namespace ebb::cli
