// SPDX-License-Identifier: Apache-2.0
//
// What an agent has done, for people and programs: counts, the last changes with their times, as a
// JSON file.
#pragma once

#include "ebb/agent/diverter.hpp"
#include "ebb/core/result.hpp"

#include <deque>
#include <functional>
#include <map>
#include <string>

namespace ebb::agent {

class Record {
 public:
  using Name = std::function<std::string(PortNumber)>;
  explicit Record(Name name) : name_(std::move(name)) {}

  void polled(TimePoint now);
  void saw(const Reading& reading);
  // The switch has answered at `now`.
  void changed(TimePoint now, const Change& change, bool done);

  // In one step: a reader finds the old file or the new one.
  [[nodiscard]] Result<void> write(const std::string& path, const Ports& paused) const;

 private:
  struct Port {
    DataSize waiting{};
    DataSize most_waiting{};
    std::uint64_t diversions = 0;
  };
  struct Done {
    TimePoint at{};
    Change change;
  };

  Name name_;
  std::map<PortNumber, Port> ports_;
  std::uint64_t diversions_ = 0;
  std::uint64_t returns_ = 0;
  std::uint64_t refusals_ = 0;
  Duration slowest_{};  // from when it was called for to the switch's answer
  std::uint64_t polls_ = 0;
  std::optional<TimePoint> first_poll_;
  TimePoint last_poll_{};
  Duration longest_gap_{};
  std::deque<Done> last_;
};

}  // namespace ebb::agent
