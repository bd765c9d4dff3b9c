// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_machine.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

namespace ebb::controller {
namespace {

constexpr Duration kAskAgain = std::chrono::seconds(1);  // of a switch that refused
// A link has failed when so many probes in a row were lost, or so many of the last 16: a cable that
// loses one frame in three is of no use, although it never loses three in a row for long.
constexpr std::uint16_t kLastProbes = 0b111;
constexpr int kMostMissed = 5;
// So many in a row must come through before it is used again, twice as many each time that it
// happens again within ten minutes, but not for ever.
constexpr std::uint32_t kSoundProbes = 3;
constexpr std::uint32_t kMostDoublings = 4;
constexpr Duration kForgiven = std::chrono::minutes(10);

}  // namespace

End end_of(const Order& order) {
  return std::visit([](const auto& one) { return one.end; }, order);
}

std::string_view to_text(LinkState state) {
  switch (state) {
    case LinkState::active:
      return "active";
    case LinkState::draining:
      return "draining";
    case LinkState::asleep:
      return "asleep";
    case LinkState::waking:
      return "waking";
    case LinkState::failed:
      return "failed";
  }
  return "?";
}

LinkMachine::LinkMachine(End a, End b, LinkTimes times) : times_(times) {
  sides_[0].end = a;
  sides_[1].end = b;
}

std::vector<Order> LinkMachine::take_orders() { return std::exchange(orders_, {}); }

bool LinkMachine::is_current(const Order& order) const {
  if (const auto* way = std::get_if<SetFailoverPreference>(&order))
    return way->serial == failover_serial_;
  const auto* port = std::get_if<SetPort>(&order);
  return port == nullptr || port->serial == port_serial_;
}

void LinkMachine::enter(TimePoint now, LinkState state, std::string why) {
  state_ = state;
  since_ = now;
  why_ = std::move(why);
  tried_ = now;
  if (state == LinkState::active) ours_ = held_ = false;
  if (state == LinkState::active) avoided_.reset();
  for (Side& side : sides_) {
    if (state == LinkState::failed) side.in_a_row = 0;
  }
}

void LinkMachine::order_failover(TimePoint now, Side& side) {
  side.failover = {side.here ? Progress::Step::asked : Progress::Step::refused, now};
  side.counted = false;
  if (side.here)
    orders_.emplace_back(SetFailoverPreference{side.end, detours(side.end), failover_serial_});
}

void LinkMachine::order_port(TimePoint now, Side& side) {
  side.port = {side.here ? Progress::Step::asked : Progress::Step::refused, now};
  if (side.here) orders_.emplace_back(SetPort{side.end, up_, port_serial_});
}

void LinkMachine::set_failover(TimePoint now, bool detour) {
  detour_ = detour;
  ++failover_serial_;
  for (Side& side : sides_) order_failover(now, side);
}

void LinkMachine::set_ports(TimePoint now, bool up) {
  up_ = up;
  half_up_ = false;
  if (!up) ours_ = true;
  ++port_serial_;
  for (Side& side : sides_) order_port(now, side);
}

void LinkMachine::ask_again(TimePoint now) {
  for (Side& side : sides_) {
    if (!side.here) continue;
    const auto is_due = [&](const Progress& progress) {
      return progress.step == Progress::Step::refused && now - progress.at >= kAskAgain;
    };
    if (is_due(side.failover)) order_failover(now, side);
    // One that is drained goes down soon: it is not told to come up before.
    if (is_due(side.port) && !(up_ && keep_down_)) order_port(now, side);
  }
}

void LinkMachine::reach(TimePoint now, End end, bool here) {
  Side& one = side(end);
  one.here = here;
  if (here) return ask_again(now);
  for (Progress* progress : {&one.failover, &one.port}) {
    if (progress->step == Progress::Step::asked) *progress = {Progress::Step::refused, now};
  }
  // Whether its end is diverted is not known any more.
  if (state_ == LinkState::draining) wake(now, "a switch of it went while it was drained");
}

void LinkMachine::found_asleep(TimePoint now) {
  if (state_ == LinkState::waking) return;  // its ports have been told, or are told again
  const bool comes_up = up_ && ports_are_asked();
  restored_asleep(now, "was found asleep");
  set_failover(now, true);
  if (comes_up && keep_down_) half_up_ = true;
  if (!comes_up || keep_down_) return;
  enter(now, LinkState::waking, "was found asleep, and had been told to come up");
  set_ports(now, true);
}

void LinkMachine::restored_asleep(TimePoint now, std::string why) {
  up_ = false;
  ours_ = true;
  detour_ = true;
  ++port_serial_;
  for (Side& side : sides_) {
    side.live = false;
    side.live_since = now;
    side.port = {Progress::Step::confirmed, now};  // as it was found
  }
  enter(now, LinkState::asleep, std::move(why));
}

void LinkMachine::sleep(TimePoint now, std::string why) {
  if (state_ == LinkState::active) lie_down(now, std::move(why));
}

void LinkMachine::lie_down(TimePoint now, std::string why) {
  enter(now, LinkState::draining, std::move(why));
  set_failover(now, true);
}

void LinkMachine::keep_down(TimePoint now, bool down) {
  keep_down_ = down;
  tick(now);
}

void LinkMachine::stay_down(TimePoint now) {
  half_up_ = state_ == LinkState::asleep;
  tick(now);
}

void LinkMachine::avoid(TimePoint now, End at) {
  held_ = true;
  if (avoided_ == at) return;
  avoided_ = at;
  if (detour_) set_failover(now, true);
}

void LinkMachine::release(TimePoint now) {
  held_ = false;
  if (state_ == LinkState::waking) since_ = now;  // its time to wake was that of others
  tick(now);
}

bool LinkMachine::is_ready(TimePoint now) const {
  if (!held_) return false;
  if (state_ == LinkState::draining) return up_ && both_diverted() && both_quiet();
  return state_ == LinkState::waking && may_carry(now);
}

void LinkMachine::wake(TimePoint now, std::string why) {
  if (state_ == LinkState::draining && up_) {
    roll_back(now, std::move(why));
  } else if (state_ == LinkState::draining || state_ == LinkState::asleep ||
             (state_ == LinkState::failed && both_live() && !lost_probes_)) {
    come_up(now, std::move(why));
  }
}

bool LinkMachine::has_lost_probes(const Side& side) {
  return (side.missed & kLastProbes) == kLastProbes || std::popcount(side.missed) >= kMostMissed;
}

// Not to a link that is dead, or has lost its probes meanwhile.
void LinkMachine::roll_back(TimePoint now, std::string why) {
  if (!both_live()) return fail(now, std::move(why));
  if (has_lost_probes(sides_[0]) || has_lost_probes(sides_[1]))
    return fail_by_probes(now, why + "; probes are lost");
  enter(now, LinkState::active, std::move(why));
  set_failover(now, false);
}

void LinkMachine::come_up(TimePoint now, std::string why) {
  enter(now, LinkState::waking, std::move(why));
  if (!up_) set_ports(now, true);
}

void LinkMachine::fail(TimePoint now, std::string why) {
  lost_probes_ = false;
  enter(now, LinkState::failed, std::move(why));
  held_ = false;
  const bool was_avoided = avoided_.has_value();
  avoided_.reset();
  if (!detour_ || was_avoided) set_failover(now, true);
}

void LinkMachine::fail_by_probes(TimePoint now, const std::string& why) {
  fail(now, why);
  lost_probes_ = true;
  times_lost_ = now - last_lost_ > kForgiven ? 1 : times_lost_ + 1;
  last_lost_ = now;
}

void LinkMachine::answered(TimePoint now, const Order& order, bool ok, const std::string& why) {
  if (!is_current(order)) return;
  Side& one = side(end_of(order));
  Progress& progress =
      std::holds_alternative<SetFailoverPreference>(order) ? one.failover : one.port;
  progress = {ok ? Progress::Step::confirmed : Progress::Step::refused, now};
  if (!ok && state_ == LinkState::draining && up_)
    return roll_back(now, "was not diverted: " + why);
  if (!ok && state_ == LinkState::draining) return come_up(now, "did not go down: " + why);
  tick(now);
}

void LinkMachine::port(TimePoint now, End end, bool live) {
  Side& changed = side(end);
  if (changed.live == live) return;
  changed.live = live;
  changed.live_since = now;
  if (!live && state_ == LinkState::active) return fail(now, "an end went down");
  if (!live && state_ == LinkState::draining && up_)
    return fail(now, "an end went down while it was drained");
  if (state_ == LinkState::failed && both_live() && !lost_probes_ && !keep_down_)
    come_up(now, "both ends are live again");
  tick(now);
}

void LinkMachine::sent(TimePoint now, End end, std::uint64_t frames) {
  Side& one = side(end);
  if (!one.counted || frames != one.frames) one.quiet_since = now;
  one.frames = frames;
  one.read_at = now;
  one.counted = one.failover.step == Progress::Step::confirmed;
  tick(now);
}

void LinkMachine::probe_heard(TimePoint now, End end) {
  Side& one = side(end);
  one.probed = now;
  ++one.in_a_row;
  one.missed = static_cast<std::uint16_t>(one.missed << 1U);
  if (state_ == LinkState::waking || state_ == LinkState::failed) tick(now);
}

void LinkMachine::probe_missed(TimePoint now, End end, const std::string& why) {
  Side& one = side(end);
  one.in_a_row = 0;
  one.missed = static_cast<std::uint16_t>(one.missed << 1U | 1U);
  if (state_ == LinkState::active && has_lost_probes(one)) fail_by_probes(now, why);
}

void LinkMachine::miscabled(TimePoint now, const std::string& why) {
  for (Side& side : sides_) side.in_a_row = 0;
  if (state_ == LinkState::active || state_ == LinkState::waking) fail_by_probes(now, why);
}

bool LinkMachine::is_confirmed() const {
  const auto confirmed = [](const Progress& one) { return one.step == Progress::Step::confirmed; };
  return std::all_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    return !side.here || (confirmed(side.failover) && confirmed(side.port));
  });
}

bool LinkMachine::ports_are_asked() const {
  return std::any_of(sides_.begin(), sides_.end(),
                     [](const Side& side) { return side.port.step == Progress::Step::asked; });
}

bool LinkMachine::both_diverted() const {
  return std::all_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    return side.failover.step == Progress::Step::confirmed;
  });
}

bool LinkMachine::both_quiet() const {
  return std::all_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    return side.here && side.counted && side.read_at - side.quiet_since >= times_.drain_idle;
  });
}

TimePoint LinkMachine::live_since() const {
  return std::max({sides_[0].live_since, sides_[1].live_since, since_});
}

bool LinkMachine::wants_probe(End end) const {
  const Side& one = sides_[0].end == end ? sides_[0] : sides_[1];
  return state_ == LinkState::waking && both_live() && detour_ &&
         !(one.probed && *one.probed > live_since());
}

std::optional<Duration> LinkMachine::probe_age(TimePoint now) const {
  if (!sides_[0].probed || !sides_[1].probed) return std::nullopt;
  return now - std::min(*sides_[0].probed, *sides_[1].probed);
}

bool LinkMachine::both_probed(TimePoint since) const {
  return std::all_of(sides_.begin(), sides_.end(),
                     [&](const Side& side) { return side.probed && *side.probed > since; });
}

bool LinkMachine::both_sound() const {
  const std::uint32_t doublings = std::min(std::max(times_lost_, 1U) - 1, kMostDoublings);
  return std::all_of(sides_.begin(), sides_.end(),
                     [&](const Side& side) { return side.in_a_row >= kSoundProbes << doublings; });
}

void LinkMachine::drain_on(TimePoint now) {
  if (up_ && !held_ && both_diverted() && both_quiet()) set_ports(now, false);
  if (!up_ && !sides_[0].live && !sides_[1].live)
    return enter(now, LinkState::asleep, std::move(why_));
  if (now - since_ < times_.drain_limit) return;
  if (up_) return roll_back(now, "frames did not stop within the time to drain");
  come_up(now, "did not go down in time");
}

// Ports that somebody else took up, or a switch that was started again.
void LinkMachine::sleep_on(TimePoint now) {
  const bool unused = both_diverted() && both_quiet();
  if (half_up_ && unused) return set_ports(now, false);
  if (!both_live()) return;
  if (!keep_down_) return come_up(now, "its ports are up");
  const auto is_settled = [&](const Side& side) {
    return side.port.step == Progress::Step::confirmed && now - side.port.at >= kAskAgain;
  };
  if (unused && is_settled(sides_[0]) && is_settled(sides_[1])) set_ports(now, false);
}

void LinkMachine::become_active(TimePoint now) {
  for (Side& side : sides_) side.missed = 0;  // before its ports were up
  enter(now, LinkState::active, std::move(why_));
}

// An order to go down may still be on its way.
bool LinkMachine::may_carry(TimePoint now) const {
  const TimePoint live = live_since();
  return detour_ && both_live() && now - live >= times_.link_up_hold && both_probed(live) &&
         !ports_are_asked();
}

void LinkMachine::wake_on(TimePoint now) {
  if (is_ready(now)) return;
  if (!detour_) {
    if (!both_live()) return fail(now, "an end went down while it woke");
    if (both_diverted()) return become_active(now);
  } else if (may_carry(now)) {
    set_failover(now, false);
  }
  if (now - since_ < times_.wake_limit) return;
  if (detour_ && both_live() && !both_probed(live_since()))
    return fail_by_probes(now, "its ports are up, but probes do not come through both ways");
  fail(now, "did not come up in time");
}

// A switch that refused or could not be reached may do it later; if its ports never went down, no
// change of theirs will tell. Ports that somebody else took down are left alone.
void LinkMachine::try_again(TimePoint now) {
  const bool due = now - tried_ >= times_.wake_limit;
  if (keep_down_ && (both_live() || due)) {
    if (sides_[0].here && sides_[1].here) return lie_down(now, "is drained");
    tried_ = now;
    return;
  }
  if (lost_probes_) {
    if (both_live() && both_sound()) come_up(now, "probes come through again, both ways");
    return;
  }
  if (!due || keep_down_) return;
  if (both_live()) return come_up(now, "both ends are live: tried again");
  if (!ours_) return;
  tried_ = now;
  set_ports(now, true);
}

void LinkMachine::tick(TimePoint now) {
  if (state_ == LinkState::failed) try_again(now);
  if (state_ == LinkState::draining) drain_on(now);
  if (state_ == LinkState::asleep) sleep_on(now);
  if (state_ == LinkState::waking) wake_on(now);
  ask_again(now);
}

std::optional<TimePoint> LinkMachine::next_tick() const {
  std::optional<TimePoint> next;
  const auto at = [&](TimePoint time) { next = next ? std::min(*next, time) : time; };
  for (const Side& side : sides_) {
    for (const Progress& progress : {side.failover, side.port}) {
      if (side.here && progress.step == Progress::Step::refused) at(progress.at + kAskAgain);
    }
  }
  if (state_ == LinkState::draining) at(since_ + times_.drain_limit);
  if (state_ == LinkState::failed && !lost_probes_ && (ours_ || both_live() || keep_down_))
    at(tried_ + times_.wake_limit);
  if (state_ != LinkState::waking) return next;
  const TimePoint live = live_since();
  if (detour_ && !held_ && both_live() && both_probed(live)) at(live + times_.link_up_hold);
  at(since_ + times_.wake_limit);
  return next;
}

LinksByState::LinksByState(std::uint32_t links) : ticks_(links) {
  counts_[static_cast<std::size_t>(LinkState::active)] = links;
}

void LinksByState::moved(topology::LinkId link, LinkState from, LinkState to) {
  --counts_[static_cast<std::size_t>(from)];
  ++counts_[static_cast<std::size_t>(to)];
  if (to != LinkState::active) {
    not_active_.insert(link);
  } else {
    not_active_.erase(link);
  }
}

void LinksByState::ticks(topology::LinkId link, bool has_next) {
  if (ticks_[index(link)] == has_next) return;
  ticks_[index(link)] = has_next;
  if (has_next) {
    moving_.insert(link);
  } else {
    moving_.erase(link);
  }
}

}  // namespace ebb::controller
