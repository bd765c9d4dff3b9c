// SPDX-License-Identifier: Apache-2.0
//
// What a channel does by itself, armed by a policy.
#include "announcements.hpp"
#include "output_channels.hpp"

#include <algorithm>
#include <limits>
#include <mutex>

namespace ebb::netsim {

using policy::Reason;

namespace {

std::int32_t threshold(DataSize size) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::min(size.count(), kMost));
}

}  // namespace

Reason OutputChannels::apply_order(ChannelId which, const policy::SleepWhenIdle& order) {
  if (!net_.model_of(which).sleep) return Reason::not_supported;
  Triggers& triggers = net_.triggers[which];
  triggers.low_power_after = order.idle;
  triggers.low_power = {policy::Mode::asleep, {}};
  triggers.sleep_wakes_at = threshold(order.wake);
  triggers.max_coalescing_delay = order.max_coalescing_delay;
  arm(which);
  if (net_.channels[which].wake_stalled) check_coalescing_delay(which);
  check_when_idle(which);
  return Reason::done;
}

Reason OutputChannels::apply_order(ChannelId which, const policy::SlowDownWhenIdle& order) {
  if (index(order.rate_level) >= net_.model_of(which).rate_levels.size())
    return Reason::not_supported;
  make_triggers();
  Triggers& triggers = net_.triggers[which];
  triggers.low_power_after = order.idle;
  triggers.low_power = {policy::Mode::active, order.rate_level};
  triggers.sleep_wakes_at = 0;
  arm(which);
  check_when_idle(which);
  return Reason::done;
}

Reason OutputChannels::apply_order(ChannelId which, const policy::WakeWhenQueued& order) {
  if (!net_.model_of(which).sleep) return Reason::not_supported;
  net_.triggers[which].wakes_at = threshold(order.queued);
  arm(which);
  return Reason::done;
}

Reason OutputChannels::apply_order(ChannelId which, const policy::SpeedUpWhenQueued& order) {
  if (index(order.rate_level) >= net_.model_of(which).rate_levels.size())
    return Reason::not_supported;
  make_triggers();
  net_.triggers[which].jumps_at = threshold(order.queued);
  net_.triggers[which].jumps_to = order.rate_level;
  arm(which);
  return Reason::done;
}

Reason OutputChannels::apply_order(ChannelId which, const policy::WakeWhenAnnounced& order) {
  if (!net_.model_of(which).sleep) return Reason::not_supported;
  if (order.planned && net_.closed_loop == nullptr) return Reason::not_supported;
  net_.triggers[which].hold = order.hold;
  if (order.planned && net_.fixed(which).from_host)
    net_.closed_loop->look_ahead(net_.host_of(which), announcing_time(net_, which));
  arm(which);
  return Reason::done;
}

Reason OutputChannels::apply_order(ChannelId which, const policy::Disarm& /*order*/) {
  if (!net_.channels[which].armed) return Reason::done;
  net_.channels[which].armed = false;
  Triggers& triggers = net_.triggers[which];
  triggers.low_power_after = Duration(-1);
  triggers.sleep_wakes_at = 0;
  triggers.wakes_at = 0;
  triggers.jumps_at = 0;
  triggers.hold = Duration(-1);
  triggers.wake_at = kNever;
  return Reason::done;
}

// Partitions may ask for them at the same time; nobody looks before.
void OutputChannels::make_triggers() {
  std::call_once(net_.makes_triggers, [&] {
    if (net_.triggers.empty()) net_.triggers.resize(net_.channels.size());
  });
}

// A trigger has been set; it may have to act at once.
void OutputChannels::arm(ChannelId which) {
  net_.channels[which].armed = true;
  if (net_.fixed(which).from_host) {
    Nic& nic = net_.nic_of(which);
    net_.fetch_created(nic, now());
    if (nic.next) part_.calendar.try_send_at(which, nic.next->at);
  }
  on_queued(which);
}

bool wakes_by_itself(const NetworkState& net, ChannelId channel) {
  if (!net.channels[channel].armed) return false;
  const Triggers& triggers = net.triggers[channel];
  return triggers.sleep_wakes_at > 0 || triggers.wakes_at > 0;
}

// A channel that can wake by itself also does so for the credits that it does not carry, when the
// far end would run dry without them. They count from when their packets begin to leave.
bool OutputChannels::must_wake(ChannelId which) const {
  if (!net_.controls[which].now.asleep() || is_changing(which)) return false;
  const Triggers& triggers = net_.triggers[which];
  if (triggers.wake_at <= now()) return true;
  if (!wakes_by_itself(net_, which)) return false;
  const std::int64_t waiting = net_.waiting(which, now()).count() + triggers.bypassed_bits;
  const auto reached = [waiting](std::int32_t least) { return least > 0 && waiting >= least; };
  return reached(triggers.sleep_wakes_at) || reached(triggers.wakes_at) ||
         must_return_credits(which) || coalescing_delay_is_over(which);
}

bool OutputChannels::coalescing_delay_is_over(ChannelId which) const {
  const Triggers& triggers = net_.triggers[which];
  if (triggers.sleep_wakes_at == 0) return false;
  const auto is_over = [&](TimePoint from) {
    return from + triggers.max_coalescing_delay <= now();
  };
  return (net_.channels[which].wake_stalled && is_over(net_.controls[which].stalled_from)) ||
         (triggers.bypassed_bits > 0 && is_over(triggers.bypassed_from));
}

// Something waits: looks again when it has waited long enough.
void OutputChannels::check_coalescing_delay(ChannelId which) {
  const Triggers& triggers = net_.triggers[which];
  const bool armed = triggers.sleep_wakes_at > 0 && triggers.max_coalescing_delay > Duration{};
  if (!armed || !net_.controls[which].now.asleep()) return;
  part_.calendar.check_at(
      which, std::max(now(), net_.controls[which].stalled_from + triggers.max_coalescing_delay));
}

// Part of a buffer, so that the far end does not run dry before they have reached it, or so much
// that a packet might not fit into the rest.
bool OutputChannels::must_return_credits(ChannelId carrier) const {
  const std::int64_t deferred = net_.triggers[carrier].deferred_credit_bits;
  const std::int64_t buffer = net_.config.hardware.input_buffer.count();
  return kDeferredCreditShare * deferred >= buffer || deferred > buffer - net_.packet_bits;
}

bool OutputChannels::must_jump(ChannelId which, std::int64_t more_bits) const {
  const Triggers& triggers = net_.triggers[which];
  const Setting now = net_.controls[which].now;
  if (triggers.jumps_at == 0 || now.asleep() || is_changing(which) || triggers.ramping()) {
    return false;
  }
  return now.rate_level < triggers.jumps_to &&
         net_.waiting(which, part_.now()).count() + more_bits >= triggers.jumps_at;
}

void OutputChannels::on_queued(ChannelId which) {
  if (must_wake(which)) return wake(which);
  if (must_jump(which)) set_rate_level(which, net_.triggers[which].jumps_to);
}

void OutputChannels::on_bypassed(ChannelId which, std::uint32_t bits) {
  Triggers& triggers = net_.triggers[which];
  if (triggers.bypassed_bits == 0) {
    triggers.bypassed_from = now();
    if (triggers.sleep_wakes_at > 0)
      part_.calendar.check_at(which, now() + triggers.max_coalescing_delay);
  }
  triggers.bypassed_bits = threshold(ebb::bits(std::int64_t{triggers.bypassed_bits} + bits));
  if (must_wake(which)) wake(which);
}

// The channel is awake when the message comes, and not long before.
void OutputChannels::expect(ChannelId which, TimePoint at) {
  Triggers& triggers = net_.triggers[which];
  triggers.expected_until = std::max(triggers.expected_until, at + triggers.hold);
  const TimePoint wake_at = std::max(now(), at - net_.model_of(which).sleep->wake);
  triggers.wake_at = std::min(triggers.wake_at, wake_at);
  if (must_wake(which)) return wake(which);
  part_.calendar.check_at(which, wake_at);
}

// What is sent when the last message that was announced should be there is taken for it.
void OutputChannels::end_expectation(ChannelId which) {
  Triggers& triggers = net_.triggers[which];
  if (triggers.expected_until <= now() + triggers.hold) triggers.expected_until = {};
}

void OutputChannels::on_sent(ChannelId which) {
  if (has_waiting(which)) return;
  if (net_.channels[which].draining) return change_drained(which);
  if (!net_.channels[which].armed) return;
  if (net_.triggers[which].awaits_messages()) end_expectation(which);
  check_when_idle(which);
}

void OutputChannels::on_credit(ChannelId carrier, std::uint32_t bits, TimePoint at) {
  Triggers& triggers = net_.triggers[carrier];
  (void)part_.credits.collect(triggers.to_carry, now());
  part_.credits.push(triggers.to_carry, at, bits);
  const ChannelControl& control = net_.controls[carrier];
  // A channel that is still to fall asleep carries the credits until then.
  if (!control.now.asleep() || at <= control.change_begin) return;
  triggers.deferred_credit_bits += static_cast<std::int32_t>(bits);
  if (must_wake(carrier)) wake(carrier);
}

// When the channel will have been idle for long enough, if nothing happens until then. It must be
// armed to enter a low-power state. Credits do not keep it awake: a stream of them would, for as
// long as traffic of the other direction lasts, while half a buffer of them at a time is soon
// enough.
TimePoint OutputChannels::idle_by(ChannelId which) const {
  const TimePoint used = std::max(net_.channels[which].wire_end, net_.controls[which].change_end);
  const Triggers& triggers = net_.triggers[which];
  return std::max(used + triggers.low_power_after, triggers.expected_until);
}

bool OutputChannels::may_rest(ChannelId which) const {
  const Triggers& triggers = net_.triggers[which];
  const Setting now = net_.controls[which].now;
  return triggers.has_low_power() && !now.asleep() &&
         (triggers.low_power.asleep() || now.rate_level > triggers.low_power.rate_level);
}

void OutputChannels::enter_low_power(ChannelId which) {
  const Setting low_power = net_.triggers[which].low_power;
  if (low_power.asleep()) return fall_asleep(which);
  set_rate_level(which, low_power.rate_level);
}

void OutputChannels::check_when_idle(ChannelId which) {
  if (may_rest(which)) part_.calendar.check_at(which, std::max(now(), idle_by(which)));
}

// A channel that was awake when it should have woken has waited for the message; one that should
// wake later looks again then.
void OutputChannels::review_wake_at(ChannelId which) {
  TimePoint& wake_at = net_.triggers[which].wake_at;
  if (wake_at > now()) return part_.calendar.check_at(which, wake_at);
  wake_at = kNever;
}

// What the triggers want now.
void OutputChannels::check(ChannelId which) {
  if (is_changing(which)) return part_.calendar.check_at(which, net_.controls[which].change_end);
  if (must_wake(which) || must_jump(which)) return on_queued(which);
  if (net_.triggers[which].wake_at != kNever) review_wake_at(which);
  if (net_.channels[which].wake_stalled) check_coalescing_delay(which);
  if (!may_rest(which)) return;
  if (has_waiting(which)) return;  // on_sent comes back to this
  if (idle_by(which) > now()) return check_when_idle(which);
  enter_low_power(which);
}

}  // namespace ebb::netsim
