// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/diverter.hpp"

#include <algorithm>
#include <utility>

namespace ebb::agent {

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
  ways_.set_groups(std::move(groups));
  end_unsafe_pauses(now);
}

void Diverter::set_link(TimePoint now, PortNumber port, bool up) {
  ways_.set_link(port, up);
  end_unsafe_pauses(now);
}

void Diverter::read(TimePoint now, std::span<const Reading> readings) {
  for (const Reading& reading : readings)
    ports_[reading.port].backlog.read(now, reading.waiting, reading.rate, limits_);
  for (auto& [number, port] : ports_) {
    if (paused_.contains(number)) consider_return(now, number, port);
  }
  for (auto& [number, port] : ports_) {
    if (!paused_.contains(number)) consider_pause(now, number, port);
  }
}

void Diverter::consider_pause(TimePoint now, PortNumber number, Port& port) {
  if (!port.backlog.is_long_for(limits_.polls)) return;
  if (port.changed && now - *port.changed < limits_.least) return;
  if (paused_.size() >= most_paused() || !ways_.detour_of(number)) return;
  if (!ways_.may_pause(number, paused_) || is_detour_long(number)) return;
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

void Diverter::end_unsafe_pauses(TimePoint now) {
  for (const PortNumber port : Ports(paused_)) {
    if (!ways_.may_pause(port, paused_)) change(now, port, false, Why::detour_needed, now);
  }
}

void Diverter::change(TimePoint now, PortNumber number, bool pause, Why why, TimePoint seen) {
  // What waits at a stand-in is mostly what was diverted to it: that it is long says nothing yet.
  for (const PortNumber one : ways_.around(number)) ports_[one].changed = now;
  if (pause) {
    paused_.insert(number);
  } else {
    paused_.erase(number);
  }
  changes_.push_back({number, pause, why, ports_[number].backlog.waiting(), seen});
}

void Diverter::refused(TimePoint now, PortNumber port) {
  ports_[port].changed = now;
  paused_.erase(port);
}

void Diverter::forget_pauses(TimePoint now) {
  for (const PortNumber port : Ports(paused_)) refused(now, port);
}

bool Diverter::is_detour_long(PortNumber port) const {
  const auto detour = ways_.detour_of(port);
  const auto found = detour ? ports_.find(*detour) : ports_.end();
  return found != ports_.end() && found->second.backlog.is_long();
}

std::size_t Diverter::most_paused() const {
  const double most = limits_.share * static_cast<double>(ways_.ports().size());
  return std::max<std::size_t>(static_cast<std::size_t>(most), 1);
}

std::vector<Change> Diverter::take_changes() { return std::exchange(changes_, {}); }

}  // namespace ebb::agent
