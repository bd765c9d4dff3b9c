// SPDX-License-Identifier: Apache-2.0
//
// Decides which outputs of a switch are suppressed, from the lengths of their queues: frames of a
// suppressed port take the backup of its fast-failover group. Values in, changes out; time comes
// with the data.
//
//   Diverter diverter(limits);
//   diverter.set_groups(now, groups);                  // as the switch holds them
//   diverter.read(now, readings);                      // every millisecond or so
//   for (const Change& change : diverter.take_changes()) tell_the_switch(change);
//
// Changes are rare, because each lets frames overtake others: a port is suppressed after `polls`
// readings above the high mark and released after `hold` at the low mark (at once when the backup's
// queue is long), and there are never two changes within `least`, of a port or of one that stands
// in for it. Reachability comes first: a suppression that FailoverGroups no longer allows ends at
// once.
#pragma once

#include "ebb/units/data.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace ebb::agent {

// When a queue is long, when it is short again, and how often a port may change. Lengths are times:
// how long a frame at the end of the queue waits at the rate of the port.
struct Limits {
  Duration high = std::chrono::milliseconds(3);
  Duration low = std::chrono::milliseconds(1);
  std::uint32_t polls = 2;                        // in a row above `high` before it is suppressed
  Duration hold = std::chrono::milliseconds(10);  // below `low` before it is used again
  // Between two changes of a port, or of one that stands in for it. Longer lets fewer frames
  // overtake others, but an overload of x times the rate fills a queue by (x - 1) * least.
  Duration least = std::chrono::milliseconds(20);
  double share = 0.5;  // of the ports that may be suppressed, at least 1
};

// A slow port holds some frames without being overloaded.
inline constexpr DataSize kFrame = bytes(1514);
inline constexpr std::int64_t kFramesAtHigh = 4;

// Above this a queue is long: max(high * rate, 4 frames).
[[nodiscard]] DataSize high_mark(const Limits& limits, DataRate rate);
// Not above this it is short: max(low * rate, 1 frame).
[[nodiscard]] DataSize low_mark(const Limits& limits, DataRate rate);

// What the readings of one queue say: long for how many polls, short since when.
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

using PortNumber = std::uint32_t;  // of OpenFlow

// A group as the switch holds it. A controller that wants `port` to be left alone (to let it sleep,
// because it failed) has put its detour first.
struct Group {
  PortNumber port = 0;
  PortNumber detour = 0;
  bool detour_first = false;

  bool operator==(const Group&) const = default;
};

using Ports = std::set<PortNumber>;

// The fast-failover groups of a switch and its links: which port stands in for which, and which may
// not be suppressed because frames would have no path left.
class FailoverGroups {
 public:
  void set_groups(std::vector<Group> groups) { groups_ = std::move(groups); }
  void set_link(PortNumber port, bool up);

  // Ports that are in a group.
  [[nodiscard]] Ports ports() const;
  // Those that share a group with `port`, and itself.
  [[nodiscard]] Ports around(PortNumber port) const;
  [[nodiscard]] std::optional<PortNumber> detour_of(PortNumber port) const;
  [[nodiscard]] bool is_up(PortNumber port) const { return !down_.contains(port); }
  // It has a detour, and every group that counts on `port` has another port that is up, meant to be
  // used, and not suppressed.
  [[nodiscard]] bool may_suppress(PortNumber port, const Ports& suppressed) const;

 private:
  std::vector<Group> groups_;
  Ports down_;
};

struct Reading {
  PortNumber port = 0;
  DataSize waiting{};
  DataRate rate{};
};

enum class Why : std::uint8_t { queue_long, queue_short, detour_long, detour_needed };
[[nodiscard]] std::string_view to_text(Why why);

struct Change {
  PortNumber port = 0;
  bool suppress = false;
  Why why{};
  DataSize waiting{};
  TimePoint seen{};  // since when it was called for, and could be done
};

class Diverter {
 public:
  explicit Diverter(const Limits& limits) : limits_(limits) {}

  void set_groups(TimePoint now, std::vector<Group> groups);
  void set_link(TimePoint now, PortNumber port, bool up);
  void read(TimePoint now, std::span<const Reading> readings);
  // The switch did not do it: the port counts as not suppressed.
  void refused(TimePoint now, PortNumber port);
  // The switch has forgotten all suppressions.
  void forget_suppressions(TimePoint now);

  [[nodiscard]] std::vector<Change> take_changes();
  [[nodiscard]] const Ports& suppressed() const { return suppressed_; }
  [[nodiscard]] const FailoverGroups& groups() const { return groups_; }

 private:
  struct Port {
    Backlog backlog;
    std::optional<TimePoint> changed;
  };

  void consider_suppression(TimePoint now, PortNumber number, Port& port);
  void consider_return(TimePoint now, PortNumber number, Port& port);
  void end_unsafe_suppressions(TimePoint now);
  void change(TimePoint now, PortNumber number, bool suppress, Why why, TimePoint seen);
  [[nodiscard]] bool is_detour_long(PortNumber port) const;
  [[nodiscard]] std::size_t max_suppressed() const;

  Limits limits_;
  FailoverGroups groups_;
  std::map<PortNumber, Port> ports_;
  Ports suppressed_;
  std::vector<Change> changes_;
};

}  // namespace ebb::agent
