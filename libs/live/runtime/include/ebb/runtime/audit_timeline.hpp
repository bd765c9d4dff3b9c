// SPDX-License-Identifier: Apache-2.0
//
// The audit trail of a fabric as a timeline: states of links as orders and their answers say them,
// watts by the model of the fabric file, and when which controller ran.
//
//   AuditTimeline timeline(file, port, *out);
//   timeline.add(R"({"time":"2026-11-15T21:00:12.482Z","event":"order",...})", {"audit.jsonl", 7});
//   const Errors remarks = timeline.finish();
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/runtime/run.hpp"
#include "ebb/timeline/power_counter.hpp"
#include "ebb/timeline/timeline.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::runtime {

struct AuditTimelineOptions {
  std::string file;    // of the fabric
  std::string audit;   // FILE.1 is read before it
  std::string output;  // .pftrace or .json
};

// What was left out or changed, one sentence for each kind with its count and its first place.
struct AuditTimelineReport {
  std::uint64_t lines = 0;
  Errors repairs;
};
[[nodiscard]] Result<AuditTimelineReport> write_audit_timeline(const AuditTimelineOptions& options,
                                                               const LoadParts& load_parts);

class AuditTimeline {
 public:
  AuditTimeline(const fabric_config::FabricFile& file, const power::PortWatts& port,
                timeline::Timeline& out);

  // The next line of the trail.
  void add(std::string_view line, const Location& where);
  // Closes what is open, at the time of the last line. Gives what was repaired.
  [[nodiscard]] Errors finish();

  [[nodiscard]] std::uint64_t lines() const { return lines_; }

 private:
  enum class State : std::uint8_t { active, draining, asleep, waking };
  struct End {
    bool diverted = false;
    bool down = false;
  };
  struct LinkLine {
    std::optional<timeline::TrackId> track;  // none: the link of a host
    TimePoint since{};
    State state = State::active;
    std::array<End, 2> ends = {};
  };
  // A kind of repair.
  struct Count {
    std::string what;
    std::uint64_t times = 0;
    Location first;
  };

  void take(const std::string& event, const struct AuditLine& line, const Location& where);
  void order(const struct AuditLine& line, const Location& where);
  void enter(LinkLine& line, State state);
  void close_controller();
  void note(Count& count, const Location& where);
  [[nodiscard]] Power power_in(State state) const;

  const topology::Graph& graph_;
  power::PortWatts port_;
  timeline::Timeline& out_;
  std::vector<LinkLine> links_;
  std::optional<timeline::PowerCounter> watts_;
  timeline::TrackId controllers_{};
  std::optional<TimePoint> controller_since_;
  std::string controller_name_;
  std::optional<std::int64_t> began_unix_ms_;
  TimePoint now_{};
  std::uint64_t lines_ = 0;
  Count strange_{"no line of an audit trail, left out", 0, {}};
  Count unknown_{"names a link or a switch that the fabric file does not have, left out", 0, {}};
  Count backwards_{"is earlier than the line before it, moved to the time of that", 0, {}};
  Count late_{"is more than 100 days after the first line, left out", 0, {}};
};

// When a line was written, in nanoseconds since 1970; nothing when it is no line of a trail.
[[nodiscard]] std::optional<std::int64_t> time_of_audit_line(std::string_view line);

}  // namespace ebb::runtime
