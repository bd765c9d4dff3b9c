// SPDX-License-Identifier: Apache-2.0
//
// Decides which outputs of a switch are paused, from the lengths of their queues: frames of a
// paused output take its detour. Values in, changes out; time comes with the data.
//
//   Diverter diverter(limits);
//   diverter.set_groups(now, groups);                  // as the switch holds them
//   diverter.read(now, readings);                      // every millisecond or so
//   for (const Change& change : diverter.take_changes()) tell_the_switch(change);
//
// Calm, because each change lets frames overtake others: paused after `polls` readings above the
// high mark, back after `hold` at the low mark (at once when the detour's queue is long), never two
// changes within `least`, of a port or of one that stands in for it. Safe before all: see Ways; a
// pause that is no longer safe ends at once.
#pragma once

#include "ebb/agent/backlog.hpp"
#include "ebb/agent/ways.hpp"

#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace ebb::agent {

struct Reading {
  PortNumber port = 0;
  DataSize waiting{};
  DataRate rate{};
};

enum class Why : std::uint8_t { queue_long, queue_short, detour_long, detour_needed };
[[nodiscard]] std::string_view to_text(Why why);

struct Change {
  PortNumber port = 0;
  bool pause = false;
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
  // The switch did not do it: the port counts as not paused.
  void refused(TimePoint now, PortNumber port);
  // The switch has forgotten all pauses.
  void forget_pauses(TimePoint now);

  [[nodiscard]] std::vector<Change> take_changes();
  [[nodiscard]] const Ports& paused() const { return paused_; }
  [[nodiscard]] const Ways& ways() const { return ways_; }

 private:
  struct Port {
    Backlog backlog;
    std::optional<TimePoint> changed;
  };

  void consider_pause(TimePoint now, PortNumber number, Port& port);
  void consider_return(TimePoint now, PortNumber number, Port& port);
  void end_unsafe_pauses(TimePoint now);
  void change(TimePoint now, PortNumber number, bool pause, Why why, TimePoint seen);
  [[nodiscard]] bool is_detour_long(PortNumber port) const;
  [[nodiscard]] std::size_t most_paused() const;

  Limits limits_;
  Ways ways_;
  std::map<PortNumber, Port> ports_;
  Ports paused_;
  std::vector<Change> changes_;
};

}  // namespace ebb::agent
