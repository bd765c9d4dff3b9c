// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/meter.hpp"

#include <algorithm>
#include <utility>

namespace ebb::replay {

using topology::ChannelId;
using topology::LinkId;

namespace {

constexpr LongTime kHour = std::chrono::hours(1);
constexpr std::int64_t kPorts = 2;  // of a link

}  // namespace

void Hour::add(const Hour& other) {
  time += other.time;
  used = used + other.used;
  all_awake = all_awake + other.all_awake;
  asleep += other.asleep;
  slept += other.slept;
  woken += other.woken;
  highest = std::max(highest, other.highest);
  above.resize(std::max(above.size(), other.above.size()));
  for (std::size_t which = 0; which < other.above.size(); ++which)
    above[which] += other.above[which];
}

Meter::Meter(const topology::Graph& graph, power::PortWatts port, std::vector<double> levels,
             LongTime begin, GroupPower groups)
    : graph_(graph),
      port_(std::move(port)),
      groups_(std::move(groups)),
      levels_(std::move(levels)),
      asleep_(graph.link_count()),
      drawn_otherwise_(graph.link_count()),
      asleep_since_(graph.link_count()),
      asleep_time_(graph.link_count()),
      calendar_(graph.link_count()),
      begin_(begin),
      at_(begin) {
  for (const topology::RateTable& rates : graph.rate_tables())
    level_power_.push_back(port_.at(rates));
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::Link& link = graph.link(LinkId{which});
    level_.push_back(
        policy::RateLevel{static_cast<std::uint8_t>(level_power_[link.rate_table].size() - 1)});
    if (!graph.connects_switches(link)) continue;
    ++links_;
    power_ = power_ + power_of(LinkId{which});
  }
  power_ = power_ + groups_.power();
  all_awake_ = power_;
}

Power Meter::power_of(LinkId link) const {
  const std::uint32_t table = graph_.link(link).rate_table;
  const Power port =
      asleep_[index(link)] ? port_.asleep : level_power_[table][policy::index(level_[index(link)])];
  return port * kPorts;
}

Hour& Meter::hour() {
  const std::int64_t number = at_ / kHour;
  if (hours_.empty() || hours_.back().number != number) {
    hours_.push_back({.number = number});
    hours_.back().above.resize(levels_.size());
  }
  return hours_.back();
}

void Meter::pass_within_hour(Duration time) {
  Hour& one = hour();
  one.used = one.used + power_ * time;
  one.all_awake = one.all_awake + all_awake_ * time;
  rest_ += time;
  const auto whole = std::chrono::duration_cast<LongTime>(rest_);
  rest_ -= whole;
  at_ += whole;
  one.time += whole;
  one.asleep += whole * asleep_count_;
  one.highest = std::max(one.highest, highest_);
  for (std::size_t which = 0; which < levels_.size(); ++which) {
    if (highest_ > levels_[which]) one.above[which] += whole;
  }
}

void Meter::pass(Duration time) {
  while (time > Duration{}) {
    const LongTime left = kHour - at_ % kHour;
    const Duration part = std::min<Duration>(time, left - rest_);
    pass_within_hour(part);
    time -= part;
  }
}

Energy Meter::until_now(Power power) const { return power * (at_ - begin_) + power * rest_; }

void Meter::change_power(LinkId link, Power before) {
  const Power now = power_of(link);
  power_ = power_ - before + now;
  drawn_otherwise_[index(link)] += until_now(before) - until_now(now);
}

void Meter::set_asleep(LinkId link, bool asleep) {
  if (asleep_[index(link)] == asleep) return;
  const Power before = power_of(link);
  const Power groups_before = groups_.power();
  asleep_[index(link)] = asleep;
  groups_.set_asleep(link, asleep);
  change_power(link, before);
  power_ = power_ - groups_before + groups_.power();
  if (asleep) {
    ++asleep_count_;
    asleep_since_[index(link)] = at_;
  } else {
    --asleep_count_;
    asleep_time_[index(link)] += at_ - asleep_since_[index(link)];
    calendar_.add(link, asleep_since_[index(link)], at_);
  }
}

void Meter::set_level(LinkId link, policy::RateLevel level) {
  if (level_[index(link)] == level) return;
  const Power before = power_of(link);
  level_[index(link)] = level;
  change_power(link, before);
}

LongTime Meter::asleep(LinkId link) const {
  const LongTime now = asleep_[index(link)] ? at_ - asleep_since_[index(link)] : LongTime{};
  return asleep_time_[index(link)] + now;
}

Power Meter::power(LinkId link) const {
  return graph_.connects_switches(link) ? power_of(link) : Power{};
}

Energy Meter::energy(LinkId link) const {
  if (!graph_.connects_switches(link)) return {};
  return drawn_otherwise_[index(link)] + until_now(power_of(link));
}

SleepCalendar Meter::calendar() const {
  SleepCalendar calendar = calendar_;
  for (std::uint32_t which = 0; which < graph_.link_count(); ++which) {
    if (asleep_[which]) calendar.add(LinkId{which}, asleep_since_[which], at_);
  }
  return calendar;
}

}  // namespace ebb::replay
