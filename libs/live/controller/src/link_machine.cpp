// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_machine.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ebb::controller {

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

void LinkMachine::enter(TimePoint now, LinkState state, std::string why) {
  state_ = state;
  since_ = now;
  why_ = std::move(why);
  tried_ = now;
  if (state == LinkState::active) ours_ = false;
}

void LinkMachine::set_failover(bool detour) {
  detour_ = detour;
  ++serial_;
  for (Side& side : sides_) {
    side.told = false;
    side.counted = false;
    orders_.emplace_back(SetFailoverPreference{side.end, detour, serial_});
  }
}

void LinkMachine::set_ports(bool up) {
  up_ = up;
  if (!up) ours_ = true;
  for (const Side& side : sides_) orders_.emplace_back(SetPort{side.end, up});
}

void LinkMachine::found_asleep(TimePoint now) {
  up_ = false;
  ours_ = true;
  for (Side& side : sides_) {
    side.live = false;
    side.live_since = now;
  }
  set_failover(true);
  enter(now, LinkState::asleep, "was found asleep");
}

void LinkMachine::restored_asleep(TimePoint now, std::string why) {
  up_ = false;
  ours_ = true;
  detour_ = true;
  for (Side& side : sides_) {
    side.live = false;
    side.live_since = now;
  }
  enter(now, LinkState::asleep, std::move(why));
}

void LinkMachine::sleep(TimePoint now, std::string why) {
  if (state_ != LinkState::active) return;
  enter(now, LinkState::draining, std::move(why));
  set_failover(true);
}

void LinkMachine::wake(TimePoint now, std::string why) {
  if (state_ == LinkState::draining && up_) {
    roll_back(now, std::move(why));
  } else if (state_ == LinkState::draining || state_ == LinkState::asleep ||
             (state_ == LinkState::failed && both_live())) {
    come_up(now, std::move(why));
  }
}

void LinkMachine::roll_back(TimePoint now, std::string why) {
  enter(now, LinkState::active, std::move(why));
  set_failover(false);
}

void LinkMachine::come_up(TimePoint now, std::string why) {
  enter(now, LinkState::waking, std::move(why));
  if (!up_) set_ports(true);
}

void LinkMachine::fail(TimePoint now, std::string why) {
  enter(now, LinkState::failed, std::move(why));
  if (!detour_) set_failover(true);
}

void LinkMachine::answered(TimePoint now, const Order& order, bool ok, const std::string& why) {
  const bool about_way = std::holds_alternative<SetFailoverPreference>(order);
  if (about_way) {
    // An answer to an order that has been overtaken says nothing about the present one.
    if (std::get<SetFailoverPreference>(order).serial != serial_) return;
    if (ok) side(end_of(order)).told = true;
  }
  if (!ok) {
    if (state_ == LinkState::draining && up_) return roll_back(now, "was not diverted: " + why);
    if (state_ == LinkState::draining) return come_up(now, "did not go down: " + why);
    if (state_ == LinkState::waking) return fail(now, "did not wake: " + why);
  }
  tick(now);
}

void LinkMachine::port(TimePoint now, End end, bool live) {
  Side& changed = side(end);
  if (changed.live == live) return;
  changed.live = live;
  changed.live_since = now;
  switch (state_) {
    case LinkState::active:
      if (!live) fail(now, "an end went down");
      break;
    case LinkState::draining:
      if (!live && up_) fail(now, "an end went down while it was drained");
      break;
    case LinkState::asleep:
    case LinkState::waking:
      break;
    case LinkState::failed:
      if (both_live()) come_up(now, "both ends are live again");
      break;
  }
  tick(now);
}

void LinkMachine::sent(TimePoint now, End end, std::uint64_t frames) {
  Side& one = side(end);
  if (!one.counted || frames != one.frames) one.quiet_since = now;
  one.frames = frames;
  one.read_at = now;
  one.counted = one.told;
  tick(now);
}

bool LinkMachine::both_quiet() const {
  return std::all_of(sides_.begin(), sides_.end(), [&](const Side& side) {
    return side.counted && side.read_at - side.quiet_since >= times_.drain_idle;
  });
}

void LinkMachine::drain_on(TimePoint now) {
  if (up_ && both_told() && both_quiet()) set_ports(false);
  if (!up_ && !sides_[0].live && !sides_[1].live)
    return enter(now, LinkState::asleep, std::move(why_));
  if (now - since_ < times_.drain_limit) return;
  if (up_) return roll_back(now, "frames did not stop within the time to drain");
  come_up(now, "did not go down in time");
}

void LinkMachine::wake_on(TimePoint now) {
  if (detour_) {
    const auto live = std::max(sides_[0].live_since, sides_[1].live_since);
    if (both_live() && now - std::max(live, since_) >= times_.link_up_hold) set_failover(false);
  } else if (both_told()) {
    return enter(now, LinkState::active, std::move(why_));
  }
  if (now - since_ >= times_.wake_limit) fail(now, "did not come up in time");
}

// A switch that refused or could not be reached may do it later; if its ports never went down, no
// change of theirs will tell. Ports that somebody else took down are left alone.
void LinkMachine::try_again(TimePoint now) {
  if (now - tried_ < times_.wake_limit) return;
  if (both_live()) return come_up(now, "both ends are live: tried again");
  if (!ours_) return;
  tried_ = now;
  set_ports(true);
}

void LinkMachine::tick(TimePoint now) {
  if (state_ == LinkState::failed) try_again(now);
  if (state_ == LinkState::draining) drain_on(now);
  if (state_ == LinkState::waking) wake_on(now);
}

std::optional<TimePoint> LinkMachine::next_tick() const {
  if (state_ == LinkState::draining) return since_ + times_.drain_limit;
  if (state_ == LinkState::failed && (ours_ || both_live())) return tried_ + times_.wake_limit;
  if (state_ != LinkState::waking) return std::nullopt;
  const auto live = std::max({sides_[0].live_since, sides_[1].live_since, since_});
  return detour_ && both_live() ? std::min(live + times_.link_up_hold, since_ + times_.wake_limit)
                                : since_ + times_.wake_limit;
}

namespace {

constexpr Duration kAskAgain = std::chrono::seconds(1);

}  // namespace

LinkRate::LinkRate(End a, End b, policy::RateLevel top)
    : ends_{a, b}, top_(top), step_(top), target_(top) {}

std::vector<Order> LinkRate::take_orders() { return std::exchange(orders_, {}); }
std::optional<std::string> LinkRate::take_change() { return std::exchange(change_, std::nullopt); }

void LinkRate::set(TimePoint now, policy::RateLevel step, std::string why) {
  if (step == target_ && (asking_ || step_ == target_)) return;
  target_ = step;
  since_ = now;
  why_ = std::move(why);
  order();
}

void LinkRate::order() {
  ++serial_;
  asking_ = true;
  again_.reset();
  told_ = {false, false};
  for (const End end : ends_) orders_.emplace_back(SetRate{end, target_, serial_});
}

void LinkRate::found(TimePoint now, policy::RateLevel a, policy::RateLevel b) {
  if (asking_) return;
  step_ = target_ = std::min(a, b);
  if (a != b) return set(now, top_, "its ends were found at two rates");
  if (a == top_) return;
  since_ = now;
  why_ = "was found so";
  change_ = why_;
}

void LinkRate::answered(TimePoint now, const SetRate& order, bool ok, const std::string& why) {
  // An answer to an order that has been overtaken says nothing about the present one.
  if (order.serial != serial_ || !asking_) return;
  if (!ok) {
    const std::string failure = "did not change its rate: " + why;
    if (failure != why_) change_ = failure;
    if (target_ != top_) return set(now, top_, failure);
    why_ = failure;
    again_ = now + kAskAgain;
    return;
  }
  told_[order.end == ends_[0] ? 0 : 1] = true;
  if (!told_[0] || !told_[1]) return;
  asking_ = false;
  again_.reset();
  step_ = target_;
  since_ = now;
  change_ = why_;
}

void LinkRate::tick(TimePoint now) {
  if (again_ && now >= *again_) order();
}

namespace {

bool is_moving(LinkState state) { return state != LinkState::active && state != LinkState::asleep; }

void keep(std::set<topology::LinkId>& links, topology::LinkId link, bool in) {
  if (in) {
    links.insert(link);
  } else {
    links.erase(link);
  }
}

}  // namespace

LinksByState::LinksByState(std::uint32_t links) {
  counts_[static_cast<std::size_t>(LinkState::active)] = links;
}

void LinksByState::moved(topology::LinkId link, LinkState from, LinkState to) {
  --counts_[static_cast<std::size_t>(from)];
  ++counts_[static_cast<std::size_t>(to)];
  keep(moving_, link, is_moving(to));
  keep(not_active_, link, to != LinkState::active);
}

}  // namespace ebb::controller
