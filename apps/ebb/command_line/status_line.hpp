// SPDX-License-Identifier: Apache-2.0
//
// One line on standard error that is replaced as things go on. Nothing is written unless standard
// error is a terminal.
#pragma once

#include <chrono>
#include <string>

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

}  // namespace ebb::cli
