// SPDX-License-Identifier: Apache-2.0
//
// Changes of rate, sleep and waking.
#include "output_channels.hpp"

#include <algorithm>
#include <variant>

namespace ebb::netsim {

using policy::Mode;
using policy::Reason;

policy::Outcome OutputChannels::apply(const policy::Action& action) {
  const ChannelId which{index(action.channel)};
  const Reason reason =
      std::visit([&](const auto& order) { return apply_order(which, order); }, action.order);
  return {action, now(), net_.state(which, now()), reason};
}

Reason OutputChannels::apply_order(ChannelId which, const policy::SetRateLevel& order) {
  const auto& model = net_.model_of(which);
  if (index(order.rate_level) >= model.rate_levels.size()) return Reason::not_supported;
  if (is_changing(which)) return Reason::changing;
  const Setting to{net_.controls[which].now.mode, order.rate_level};
  if (must_drain(which, to)) return begin_drain(which, to);
  net_.channels[which].draining = false;
  set_rate_level(which, order.rate_level);
  return Reason::done;
}

Reason OutputChannels::apply_order(ChannelId which, const policy::Sleep& /*order*/) {
  if (!net_.model_of(which).sleep) return Reason::not_supported;
  if (is_changing(which)) return Reason::changing;
  const Setting now = net_.controls[which].now;
  if (now.asleep()) return Reason::done;
  if (has_waiting(which)) return begin_drain(which, {Mode::asleep, now.rate_level});
  fall_asleep(which);
  return Reason::done;
}

Reason OutputChannels::apply_order(ChannelId which, const policy::Wake& /*order*/) {
  if (is_changing(which)) return Reason::changing;
  net_.channels[which].draining = false;
  if (net_.controls[which].now.asleep()) wake(which);
  return Reason::done;
}

bool OutputChannels::must_drain(ChannelId which, Setting to) const {
  const auto from = net_.config.hardware.drain_from;
  if (!from || !has_waiting(which)) return false;
  const policy::State now = net_.controls[which].now.state();
  return now.rate_level != to.rate_level && now.mode == Mode::active &&
         net_.model_of(which).change_time(now, to.state()) >= *from;
}

Reason OutputChannels::begin_drain(ChannelId which, Setting to) {
  net_.controls[which].next = to;
  net_.channels[which].draining = true;
  return Reason::done;
}

// Nothing waits for the channel any more.
void OutputChannels::change_drained(ChannelId which) {
  const Setting next = net_.controls[which].next;
  next.asleep() ? fall_asleep(which) : set_rate_level(which, next.rate_level);
  net_.channels[which].drained = true;
}

void OutputChannels::begin_wake_stall(ChannelId which, TimePoint from) {
  Channel& channel = net_.channels[which];
  if (channel.wake_stalled) return;
  channel.wake_stalled = true;
  net_.controls[which].stalled_from = from;
  if (channel.armed) check_coalescing_delay(which);
}

void OutputChannels::end_wake_stall(ChannelId which) {
  ChannelControl& control = net_.controls[which];
  net_.channels[which].wake_stalled = false;
  control.wake_stall +=
      std::max(Duration{}, std::min(now(), control.change_end) - control.stalled_from);
}

void OutputChannels::change(ChannelId which, Setting to) {
  change(which, to, net_.model_of(which).change_time(net_.controls[which].now.state(), to.state()));
}

void OutputChannels::change(ChannelId which, Setting to, Duration time) {
  Channel& channel = net_.channels[which];
  ChannelControl& control = net_.controls[which];
  meters_.enter_change(which, kNever);
  control.before = control.now;
  control.now = to;
  control.change_begin = std::max(now(), channel.wire_end);
  control.change_end = control.change_begin + time;
  control.metered = 0;
  if (part_.watched) tell_change(which);
  if (!net_.groups.empty() && to.asleep()) sleep_groups(which);
  channel.draining = channel.drained = false;
  set_level(which, to.rate_level);
  channel.free_at = to.asleep() ? kNever : control.change_end;
  const bool takes_time = control.change_begin < control.change_end;
  if (!control.before.asleep() && (to.asleep() || takes_time)) {
    tell_credits(which, control.change_begin, EventKind::credit_return_blocked);
  }
  if (to.asleep()) return;
  if (control.before.asleep() || takes_time) {
    tell_credits(which, control.change_end, EventKind::credit_return_unblocked);
  }
  if (channel.armed) {
    if (net_.triggers[which].jumps_at > 0) part_.calendar.check_at(which, control.change_end);
    check_when_idle(which);
  }
  if (!has_waiting(which)) return;
  if (takes_time) begin_wake_stall(which, control.change_begin);
  part_.calendar.try_send_at(which, channel.free_at);
}

void OutputChannels::tell_change(ChannelId which) const {
  const ChannelModel& model = net_.model_of(which);
  const ChannelControl& control = net_.controls[which];
  const policy::State from = control.before.state();
  const policy::State to = control.now.state();
  part_.observer.channel_changes(
      {which, control.change_begin, control.change_end, from, to, model.power(from),
       power::power_while_changing(model.power(from), model.power(to)), model.power(to)});
}

void OutputChannels::set_level(ChannelId which, policy::RateLevel rate_level) {
  Channel& channel = net_.channels[which];
  channel.rate_level = index(rate_level);
  channel.at_full_rate = channel.rate_level + 1U == net_.model_of(which).rate_levels.size();
}

// The far end learns, a cable later, whether credits come. Hosts need none to receive.
void OutputChannels::tell_credits(ChannelId carrier, TimePoint when, EventKind what) {
  const FixedChannel& fixed = net_.fixed(carrier);
  const ChannelId served = topology::reverse(carrier);
  if (net_.fixed(served).to_host || !net_.returns_credits_on_channels()) return;
  const TimePoint at = when + fixed.latency;
  if (!fixed.cut) {
    return part_.calendar.schedule_own(served, at, what);
  }
  part_.exchange.enqueue(fixed.target, at)
      .notices.push_back({at, served, what == EventKind::credit_return_blocked});
}

void OutputChannels::set_rate_level(ChannelId which, policy::RateLevel rate_level) {
  ChannelControl& control = net_.controls[which];
  if (net_.can_sleep && net_.triggers[which].ramping()) return ramp_later(which, rate_level);
  if (control.now.rate_level == rate_level) return;
  const Setting to{control.now.mode, rate_level};
  if (!to.asleep()) return change(which, to);
  control.now = to;
  set_level(which, rate_level);
}

void OutputChannels::fall_asleep(ChannelId which) {
  const ChannelControl& control = net_.controls[which];
  Triggers& triggers = net_.triggers[which];
  const policy::RateLevel rate_level =
      triggers.ramping() ? triggers.ramp_to : control.now.rate_level;
  triggers.ramp_end = kNever;
  triggers.bypassed_bits = 0;
  change(which, {Mode::asleep, rate_level});
  triggers.deferred_credit_bits = part_.credits.after(triggers.to_carry, control.change_begin);
  // With a packet on the wire sleep lies ahead: whatever wakes the channel is looked at then.
  if (is_changing(which)) return part_.calendar.check_at(which, control.change_end);
  if (must_wake(which)) wake(which);
}

void OutputChannels::wake(ChannelId which) {
  const policy::RateLevel rate_level = net_.controls[which].now.rate_level;
  const auto slow = net_.model_of(which).sleep->wakes_at;
  net_.triggers[which].wake_at = kNever;
  const Setting to{Mode::active, slow.value_or(rate_level)};
  net_.groups.empty() ? change(which, to) : wake_with_groups(which, to);
  if (slow) ramp_later(which, rate_level);
}

// The channel that is waking goes to `rate_level` when its voltage ramp is over.
void OutputChannels::ramp_later(ChannelId which, policy::RateLevel rate_level) {
  Triggers& triggers = net_.triggers[which];
  const TimePoint woken = net_.controls[which].change_end;
  triggers.ramp_to = rate_level;
  triggers.ramp_end =
      std::max(now(), woken + net_.model_of(which).rate_levels[index(rate_level)].ramp_time);
  part_.calendar.schedule_own(which, triggers.ramp_end, EventKind::ramp_end);
}

// The voltage is there; what is left is to lock to the new rate.
void OutputChannels::end_ramp(ChannelId which) {
  Triggers& triggers = net_.triggers[which];
  triggers.ramp_end = kNever;
  const Setting to{Mode::active, triggers.ramp_to};
  if (net_.controls[which].now.rate_level == to.rate_level) {
    if (net_.channels[which].armed) on_queued(which);
    return;
  }
  change(which, to, net_.model_of(which).rate_change);
}

}  // namespace ebb::netsim
