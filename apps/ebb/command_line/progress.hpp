// SPDX-License-Identifier: Apache-2.0
//
// How far a run is, on the status line: phase, simulated time, speed, time left.
#pragma once

#include "command_line/status_line.hpp"

#include "ebb/netsim/experiment.hpp"

#include <string>

namespace ebb::cli {

class ProgressLine {
 public:
  explicit ProgressLine(const netsim::Schedule& schedule) : schedule_(schedule) {}

  [[nodiscard]] bool shown() const { return line_.shown(); }
  void show(const netsim::Progress& progress);
  // Replaces the line by what the whole run took.
  void finish(const netsim::Report& report);

 private:
  [[nodiscard]] std::string time_left(const netsim::Progress& progress) const;

  netsim::Schedule schedule_;
  StatusLine line_;
  TimePoint simulated_{};
};

}  // namespace ebb::cli
