// SPDX-License-Identifier: Apache-2.0
//
// What a replay adds up, hour by hour: energy of the ports between switches and of power groups,
// links asleep, changes, utilisation. Each interval is closed at the old state before the state
// changes.
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/replay/calendar.hpp"
#include "ebb/replay/group_power.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace ebb::replay {

// An hour of the data, and a sum of hours.
struct Hour {
  std::int64_t number = 0;  // since 1970, UTC
  LongTime time{};
  Energy used;
  Energy all_awake;         // that it would have used
  LongTime asleep{};        // summed over links
  std::uint64_t slept = 0;  // links that went to sleep
  std::uint64_t woken = 0;
  double highest = 0;           // utilisation of a channel between switches
  std::vector<LongTime> above;  // by level: some channel was used more

  void add(const Hour& other);
};

class Meter {
 public:
  // `begin`: microseconds since 1970. Levels of utilisation, ascending.
  Meter(const topology::Graph& graph, power::PortWatts port, std::vector<double> levels,
        LongTime begin, GroupPower groups = {});

  void pass(Duration time);
  // From now on.
  void set_asleep(topology::LinkId link, bool asleep);
  void set_level(topology::LinkId link, policy::RateLevel level);
  void set_highest(double utilisation) { highest_ = utilisation; }
  void count_sleep() { ++hour().slept; }
  void count_wake() { ++hour().woken; }

  [[nodiscard]] const std::vector<Hour>& hours() const { return hours_; }
  [[nodiscard]] LongTime asleep(topology::LinkId link) const;
  // Of both ports of a link between switches: now, and since the beginning.
  [[nodiscard]] Power power(topology::LinkId link) const;
  [[nodiscard]] Energy energy(topology::LinkId link) const;
  [[nodiscard]] Power group_power() const { return groups_.power(); }  // now
  // Until now.
  [[nodiscard]] SleepCalendar calendar() const;
  [[nodiscard]] const std::vector<double>& levels() const { return levels_; }
  [[nodiscard]] std::uint32_t links() const { return links_; }  // between switches

 private:
  [[nodiscard]] Hour& hour();
  void pass_within_hour(Duration time);
  [[nodiscard]] Power power_of(topology::LinkId link) const;
  void change_power(topology::LinkId link, Power before);
  // What that much would have used since the beginning.
  [[nodiscard]] Energy until_now(Power power) const;

  const topology::Graph& graph_;
  power::PortWatts port_;
  GroupPower groups_;
  std::vector<std::vector<Power>> level_power_;  // by rate table
  std::vector<double> levels_;
  std::uint32_t links_ = 0;
  std::vector<bool> asleep_;              // by link
  std::vector<policy::RateLevel> level_;  // by link
  // By link: its energy, less what it would be had it always drawn what it draws now.
  std::vector<Energy> drawn_otherwise_;
  std::vector<LongTime> asleep_since_;  // by link that sleeps
  std::vector<LongTime> asleep_time_;   // by link, until it woke last
  SleepCalendar calendar_;              // until they woke last
  std::uint32_t asleep_count_ = 0;
  Power power_;
  Power all_awake_;
  double highest_ = 0;
  LongTime begin_{};
  LongTime at_{};
  Duration rest_{};  // that has passed since at_, less than a microsecond
  std::vector<Hour> hours_;
};

}  // namespace ebb::replay
