// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/link_machine.hpp"

#include <algorithm>
#include <utility>

namespace ebb::controller {

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

void LinkMachine::prefer(bool detour) {
  detour_ = detour;
  ++serial_;
  for (Side& side : sides_) {
    side.told = false;
    side.counted = false;
    orders_.emplace_back(Prefer{side.end, detour, serial_});
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
  prefer(true);
  enter(now, LinkState::asleep, "was found asleep");
}

void LinkMachine::recalled_asleep(TimePoint now, std::string why) {
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
  prefer(true);
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
  prefer(false);
}

void LinkMachine::come_up(TimePoint now, std::string why) {
  enter(now, LinkState::waking, std::move(why));
  if (!up_) set_ports(true);
}

void LinkMachine::fail(TimePoint now, std::string why) {
  enter(now, LinkState::failed, std::move(why));
  if (!detour_) prefer(true);
}

void LinkMachine::answered(TimePoint now, const Order& order, bool ok, const std::string& why) {
  const bool about_way = std::holds_alternative<Prefer>(order);
  if (about_way) {
    // An answer to an order that has been overtaken says nothing about the present one.
    if (std::get<Prefer>(order).serial != serial_) return;
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
    return side.counted && side.read_at - side.quiet_since >= times_.quiet;
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
    if (both_live() && now - std::max(live, since_) >= times_.hold) prefer(false);
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
  return detour_ && both_live() ? std::min(live + times_.hold, since_ + times_.wake_limit)
                                : since_ + times_.wake_limit;
}

}  // namespace ebb::controller
