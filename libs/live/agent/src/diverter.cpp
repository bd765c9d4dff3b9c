// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/diverter.hpp"

#include <algorithm>
#include <utility>

namespace ebb::agent {

DataSize high_mark(const Limits& limits, DataRate rate) {
  return std::max(data_carried(rate, limits.high), kFramesAtHigh * kFrame);
}

DataSize low_mark(const Limits& limits, DataRate rate) {
  return std::max(data_carried(rate, limits.low), kFrame);
}

void Backlog::read(TimePoint now, DataSize waiting, DataRate rate, const Limits& limits) {
  waiting_ = waiting;
  if (waiting > high_mark(limits, rate)) {
    if (polls_above_++ == 0) long_since_ = now;
  } else {
    polls_above_ = 0;
  }
  if (waiting > low_mark(limits, rate)) {
    short_since_.reset();
  } else if (!short_since_) {
    short_since_ = now;
  }
}

void FailoverGroups::set_link(PortNumber port, bool up) {
  if (up) {
    down_.erase(port);
  } else {
    down_.insert(port);
  }
}

Ports FailoverGroups::ports() const {
  Ports all;
  for (const Group& group : groups_) all.insert({group.port, group.detour});
  return all;
}

Ports FailoverGroups::around(PortNumber port) const {
  Ports all{port};
  for (const Group& group : groups_) {
    if (group.port == port || group.detour == port) all.insert({group.port, group.detour});
  }
  return all;
}

std::optional<PortNumber> FailoverGroups::detour_of(PortNumber port) const {
  for (const Group& group : groups_) {
    if (group.port == port) return group.detour;
  }
  return std::nullopt;
}

bool FailoverGroups::may_suppress(PortNumber port, const Ports& suppressed) const {
  if (!detour_of(port)) return false;
  return std::all_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    if (group.port != port && group.detour != port) return true;
    // As a detour it carries all of a link that sleeps; on its own it carries nothing to divert.
    if (group.detour_first) return false;
    const PortNumber other = group.port == port ? group.detour : group.port;
    return is_up(other) && !suppressed.contains(other);
  });
}

std::string_view to_text(Why why) {
  switch (why) {
    case Why::queue_long:
      return "its queue is long";
    case Why::queue_short:
      return "its queue is short again";
    case Why::detour_long:
      return "the queue of its detour is long";
    case Why::detour_needed:
      return "another port needs it";
  }
  return "?";
}

void Diverter::set_groups(TimePoint now, std::vector<Group> groups) {
  groups_.set_groups(std::move(groups));
  end_unsafe_suppressions(now);
}

void Diverter::set_link(TimePoint now, PortNumber port, bool up) {
  groups_.set_link(port, up);
  end_unsafe_suppressions(now);
}

void Diverter::read(TimePoint now, std::span<const Reading> readings) {
  for (const Reading& reading : readings)
    ports_[reading.port].backlog.read(now, reading.waiting, reading.rate, limits_);
  for (auto& [number, port] : ports_) {
    if (suppressed_.contains(number)) consider_return(now, number, port);
  }
  for (auto& [number, port] : ports_) {
    if (!suppressed_.contains(number)) consider_suppression(now, number, port);
  }
}

void Diverter::consider_suppression(TimePoint now, PortNumber number, Port& port) {
  if (!port.backlog.is_long_for(limits_.polls)) return;
  if (port.changed && now - *port.changed < limits_.least) return;
  if (suppressed_.size() >= max_suppressed() || !groups_.detour_of(number)) return;
  if (!groups_.may_suppress(number, suppressed_) || is_detour_long(number)) return;
  const TimePoint since = port.backlog.long_since();
  change(now, number, true, Why::queue_long,
         port.changed ? std::max(since, *port.changed + limits_.least) : since);
}

void Diverter::consider_return(TimePoint now, PortNumber number, Port& port) {
  if (now - *port.changed < limits_.least) return;
  if (port.backlog.is_short_for(now, limits_.hold)) {
    change(now, number, false, Why::queue_short, now);
  } else if (port.backlog.is_short_for(now, Duration::zero()) && is_detour_long(number)) {
    change(now, number, false, Why::detour_long, now);
  }
}

void Diverter::end_unsafe_suppressions(TimePoint now) {
  for (const PortNumber port : Ports(suppressed_)) {
    if (!groups_.may_suppress(port, suppressed_)) change(now, port, false, Why::detour_needed, now);
  }
}

void Diverter::change(TimePoint now, PortNumber number, bool suppress, Why why, TimePoint seen) {
  // What waits at a stand-in is mostly what was diverted to it: that it is long says nothing yet.
  for (const PortNumber one : groups_.around(number)) ports_[one].changed = now;
  if (suppress) {
    suppressed_.insert(number);
  } else {
    suppressed_.erase(number);
  }
  changes_.push_back({number, suppress, why, ports_[number].backlog.waiting(), seen});
}

void Diverter::refused(TimePoint now, PortNumber port) {
  ports_[port].changed = now;
  suppressed_.erase(port);
}

void Diverter::forget_suppressions(TimePoint now) {
  for (const PortNumber port : Ports(suppressed_)) refused(now, port);
}

bool Diverter::is_detour_long(PortNumber port) const {
  const auto detour = groups_.detour_of(port);
  const auto found = detour ? ports_.find(*detour) : ports_.end();
  return found != ports_.end() && found->second.backlog.is_long();
}

std::size_t Diverter::max_suppressed() const {
  const double most = limits_.share * static_cast<double>(groups_.ports().size());
  return std::max<std::size_t>(static_cast<std::size_t>(most), 1);
}

std::vector<Change> Diverter::take_changes() { return std::exchange(changes_, {}); }

}  // namespace ebb::agent
