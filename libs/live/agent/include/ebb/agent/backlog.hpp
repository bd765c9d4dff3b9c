// SPDX-License-Identifier: Apache-2.0
//
// What the readings of one queue say: long for how many polls, short since when.
#pragma once

#include "ebb/agent/limits.hpp"

#include <optional>

namespace ebb::agent {

class Backlog {
 public:
  void read(TimePoint now, DataSize waiting, DataRate rate, const Limits& limits);

  // The last reading was above the high mark.
  [[nodiscard]] bool is_long() const { return polls_above_ > 0; }
  [[nodiscard]] bool is_long_for(std::uint32_t polls) const { return polls_above_ >= polls; }
  // The first of the readings above the high mark.
  [[nodiscard]] TimePoint long_since() const { return long_since_; }
  // The last reading was not above the low mark, and none has been for so long.
  [[nodiscard]] bool is_short_for(TimePoint now, Duration time) const {
    return short_since_ && now - *short_since_ >= time;
  }
  [[nodiscard]] DataSize waiting() const { return waiting_; }

 private:
  DataSize waiting_{};
  std::uint32_t polls_above_ = 0;
  TimePoint long_since_{};
  std::optional<TimePoint> short_since_;
};

}  // namespace ebb::agent
