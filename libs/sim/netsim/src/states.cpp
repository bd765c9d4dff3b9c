// SPDX-License-Identifier: Apache-2.0
//
// Rates and sleep. The rule for every change: the packet on the wire finishes as it
// began, then the channel carries nothing, neither packets nor the credits of the reverse channel,
// for the time of the change, then it is in its new state.
#include "partition.hpp"

#include <algorithm>
#include <variant>

namespace ebb::netsim {

using policy::Mode;
using policy::Reason;

policy::Outcome Partition::apply(const policy::Action& action) {
  const std::uint32_t which = index(action.channel);
  const Reason reason =
      std::visit([&](const auto& order) { return obey(which, order); }, action.order);
  return {action, now_, world_.state(which, now_), reason};
}

Reason Partition::obey(std::uint32_t which, const policy::SetStep& order) {
  const auto& model = world_.model_of(which);
  if (index(order.step) >= model.steps.size()) return Reason::not_supported;
  if (is_changing(which)) return Reason::changing;
  const Setting to{world_.controls[which].now.mode, order.step};
  if (must_drain(which, to)) return leave(which, to);
  world_.channels[which].leaving = false;
  set_step(which, order.step);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::Sleep& /*order*/) {
  if (!world_.model_of(which).sleep) return Reason::not_supported;
  if (is_changing(which)) return Reason::changing;
  const Setting now = world_.controls[which].now;
  if (now.asleep()) return Reason::done;
  if (has_waiting(which)) return leave(which, {Mode::asleep, now.step});
  fall_asleep(which);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::Wake& /*order*/) {
  if (is_changing(which)) return Reason::changing;
  world_.channels[which].leaving = false;
  if (world_.controls[which].now.asleep()) wake(which);
  return Reason::done;
}

bool Partition::must_drain(std::uint32_t which, Setting to) const {
  const auto from = world_.build.hardware.drain_from;
  if (!from || !has_waiting(which)) return false;
  const policy::State now = world_.controls[which].now.state();
  return now.step != to.step && now.mode == Mode::active &&
         world_.model_of(which).change_time(now, to.state()) >= *from;
}

Reason Partition::leave(std::uint32_t which, Setting to) {
  world_.controls[which].next = to;
  world_.channels[which].leaving = true;
  return Reason::done;
}

// Nothing waits for the channel any more.
void Partition::change_drained(std::uint32_t which) {
  const Setting next = world_.controls[which].next;
  next.asleep() ? fall_asleep(which) : set_step(which, next.step);
  world_.channels[which].drained = true;
}

// While something waits: the time counts as held until it is sent.
void Partition::hold(std::uint32_t which, TimePoint from) {
  Channel& channel = world_.channels[which];
  if (channel.holding) return;
  channel.holding = true;
  world_.controls[which].held_from = from;
  if (channel.armed) check_patience(which);
}

void Partition::end_hold(std::uint32_t which) {
  ChannelControl& control = world_.controls[which];
  world_.channels[which].holding = false;
  control.held += std::max(Duration{}, std::min(now_, control.change_end) - control.held_from);
}

void Partition::change(std::uint32_t which, Setting to) {
  change(which, to,
         world_.model_of(which).change_time(world_.controls[which].now.state(), to.state()));
}

void Partition::change(std::uint32_t which, Setting to, Duration time) {
  Channel& channel = world_.channels[which];
  ChannelControl& control = world_.controls[which];
  meter_change(which, kNever);
  control.before = control.now;
  control.now = to;
  control.change_begin = std::max(now_, channel.wire_end);
  control.change_end = control.change_begin + time;
  control.metered = 0;
  channel.leaving = channel.drained = false;
  channel.step = index(to.step);
  channel.free_at = to.asleep() ? kNever : control.change_end;
  const bool takes_time = control.change_begin < control.change_end;
  if (!control.before.asleep() && (to.asleep() || takes_time)) {
    tell_credits(which, control.change_begin, What::credits_dark);
  }
  if (to.asleep()) return;
  if (control.before.asleep() || takes_time) {
    tell_credits(which, control.change_end, What::credits_lit);
  }
  if (channel.armed) {
    if (world_.triggers[which].jumps_at > 0) check_at(which, control.change_end);
    check_when_idle(which);
  }
  if (!has_waiting(which)) return;
  if (takes_time) hold(which, control.change_begin);
  attempt_at(which, channel.free_at);
}

// The far end learns, a cable later, whether credits come. Hosts need none to receive.
void Partition::tell_credits(std::uint32_t carrier, TimePoint when, What what) {
  const FixedChannel& fixed = world_.fixed[carrier];
  const std::uint32_t served = carrier ^ 1U;
  if (world_.fixed[served].to_host || world_.pauses ||
      world_.build.hardware.credits == CreditPath::own_wires) {
    return;
  }
  const TimePoint at = when + fixed.latency;
  if (!fixed.cut) {
    return schedule(world_.source_of(carrier), fixed.target, at, what, served, served);
  }
  post(fixed.target, at).notices.push_back({at, served, what == What::credits_dark});
}

void Partition::set_step(std::uint32_t which, policy::RateStep step) {
  ChannelControl& control = world_.controls[which];
  if (world_.can_sleep && world_.triggers[which].settling()) return settle_later(which, step);
  if (control.now.step == step) return;
  const Setting to{control.now.mode, step};
  if (!to.asleep()) return change(which, to);
  control.now = to;
  world_.channels[which].step = index(step);
}

void Partition::fall_asleep(std::uint32_t which) {
  const ChannelControl& control = world_.controls[which];
  Triggers& triggers = world_.triggers[which];
  const policy::RateStep step = triggers.settling() ? triggers.settles_to : control.now.step;
  triggers.settles_at = kNever;
  change(which, {Mode::asleep, step});
  triggers.withheld_bits = credits_.after(triggers.to_carry, control.change_begin);
  // With a packet on the wire sleep lies ahead: whatever wakes the channel is looked at then.
  if (is_changing(which)) return check_at(which, control.change_end);
  if (must_wake(which)) wake(which);
}

void Partition::wake(std::uint32_t which) {
  const policy::RateStep step = world_.controls[which].now.step;
  const auto slow = world_.model_of(which).sleep->wakes_at;
  change(which, {Mode::active, slow.value_or(step)});
  if (slow) settle_later(which, step);
}

// The channel that is waking goes to `step` when its supply is up.
void Partition::settle_later(std::uint32_t which, policy::RateStep step) {
  Triggers& triggers = world_.triggers[which];
  const TimePoint woken = world_.controls[which].change_end;
  triggers.settles_to = step;
  triggers.settles_at = std::max(now_, woken + world_.model_of(which).steps[index(step)].supply);
  schedule_own(which, triggers.settles_at, What::settle);
}

// The supply is there; what is left is to lock to the new rate.
void Partition::settle(std::uint32_t which) {
  Triggers& triggers = world_.triggers[which];
  triggers.settles_at = kNever;
  const Setting to{Mode::active, triggers.settles_to};
  if (world_.controls[which].now.step == to.step) {
    if (world_.channels[which].armed) on_queued(which);
    return;
  }
  change(which, to, world_.model_of(which).rate_change);
}

}  // namespace ebb::netsim
