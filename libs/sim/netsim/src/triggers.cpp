// SPDX-License-Identifier: Apache-2.0
//
// What a channel does by itself, armed by a policy.
#include "partition.hpp"

#include <algorithm>
#include <limits>

namespace ebb::netsim {

using policy::Reason;

namespace {

std::int32_t threshold(DataSize size) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::min(size.count(), kMost));
}

}  // namespace

Reason Partition::obey(std::uint32_t which, const policy::SleepWhenIdle& order) {
  if (!world_.model_of(which).sleep) return Reason::not_supported;
  Triggers& triggers = world_.triggers[which];
  triggers.rest_after = order.idle;
  triggers.rest = {policy::Mode::asleep, {}};
  triggers.sleep_wakes_at = threshold(order.wake);
  triggers.patience = order.patience;
  arm(which);
  if (world_.channels[which].holding) check_patience(which);
  check_when_idle(which);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::StepWhenIdle& order) {
  if (index(order.step) >= world_.model_of(which).steps.size()) return Reason::not_supported;
  make_triggers();
  Triggers& triggers = world_.triggers[which];
  triggers.rest_after = order.idle;
  triggers.rest = {policy::Mode::active, order.step};
  triggers.sleep_wakes_at = 0;
  arm(which);
  check_when_idle(which);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::WakeWhenQueued& order) {
  if (!world_.model_of(which).sleep) return Reason::not_supported;
  world_.triggers[which].wakes_at = threshold(order.queued);
  arm(which);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::JumpWhenQueued& order) {
  if (index(order.step) >= world_.model_of(which).steps.size()) return Reason::not_supported;
  make_triggers();
  world_.triggers[which].jumps_at = threshold(order.queued);
  world_.triggers[which].jumps_to = order.step;
  arm(which);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::Disarm& /*order*/) {
  if (!world_.channels[which].armed) return Reason::done;
  world_.channels[which].armed = false;
  Triggers& triggers = world_.triggers[which];
  triggers.rest_after = Duration(-1);
  triggers.sleep_wakes_at = 0;
  triggers.wakes_at = 0;
  triggers.jumps_at = 0;
  return Reason::done;
}

// Actions come between runs: no other thread is looking.
void Partition::make_triggers() {
  if (world_.triggers.empty()) world_.triggers.resize(world_.channels.size());
}

// A trigger has been set; it may have to act at once.
void Partition::arm(std::uint32_t which) {
  world_.channels[which].armed = true;
  if (world_.fixed[which].from_host) {
    Nic& nic = nic_of(which);
    fetch_born(nic);
    if (nic.next) attempt_at(which, nic.next->at);
  }
  on_queued(which);
}

bool Partition::wakes_by_itself(std::uint32_t which) const {
  if (!world_.channels[which].armed) return false;
  const Triggers& triggers = world_.triggers[which];
  return triggers.sleep_wakes_at > 0 || triggers.wakes_at > 0;
}

// A channel that can wake by itself also does so for the credits that it does not carry, when the
// far end would run dry without them. They count from when their packets begin to leave.
bool Partition::must_wake(std::uint32_t which) const {
  if (!world_.controls[which].now.asleep() || is_changing(which)) return false;
  if (!wakes_by_itself(which)) return false;
  const Triggers& triggers = world_.triggers[which];
  const std::int64_t waiting = world_.waiting(which, now_).count();
  const auto reached = [waiting](std::int32_t least) { return least > 0 && waiting >= least; };
  return reached(triggers.sleep_wakes_at) || reached(triggers.wakes_at) ||
         must_return_credits(which) || out_of_patience(which);
}

bool Partition::out_of_patience(std::uint32_t which) const {
  const Triggers& triggers = world_.triggers[which];
  return triggers.sleep_wakes_at > 0 && world_.channels[which].holding &&
         world_.controls[which].held_from + triggers.patience <= now_;
}

// Something waits: looks again when it has waited long enough.
void Partition::check_patience(std::uint32_t which) {
  const Triggers& triggers = world_.triggers[which];
  const bool armed = triggers.sleep_wakes_at > 0 && triggers.patience > Duration{};
  if (!armed || !world_.controls[which].now.asleep()) return;
  check_at(which, std::max(now_, world_.controls[which].held_from + triggers.patience));
}

// Part of a buffer, so that the far end does not run dry before they have reached it, or so much
// that a packet might not fit into the rest.
bool Partition::must_return_credits(std::uint32_t carrier) const {
  const std::int64_t withheld = world_.triggers[carrier].withheld_bits;
  const std::int64_t buffer = world_.build.hardware.input_buffer.count();
  return kWithheldShare * withheld >= buffer || withheld > buffer - world_.packet_bits;
}

// When so many more bits come to wait. A channel whose supply is coming up carries them meanwhile.
bool Partition::must_jump(std::uint32_t which, std::int64_t more_bits) const {
  const Triggers& triggers = world_.triggers[which];
  const Setting now = world_.controls[which].now;
  if (triggers.jumps_at == 0 || now.asleep() || is_changing(which) || triggers.settling()) {
    return false;
  }
  return now.step < triggers.jumps_to &&
         world_.waiting(which, now_).count() + more_bits >= triggers.jumps_at;
}

void Partition::on_queued(std::uint32_t which) {
  if (must_wake(which)) return wake(which);
  if (must_jump(which)) set_step(which, world_.triggers[which].jumps_to);
}

void Partition::on_sent(std::uint32_t which) {
  if (has_waiting(which)) return;
  if (world_.channels[which].leaving) return change_drained(which);
  if (world_.channels[which].armed) check_when_idle(which);
}

// The channel carries a credit at `at`, or would if it were awake.
void Partition::on_credit(std::uint32_t carrier, std::uint32_t bits, TimePoint at) {
  Triggers& triggers = world_.triggers[carrier];
  (void)credits_.collect(triggers.to_carry, now_);
  credits_.push(triggers.to_carry, at, bits);
  const ChannelControl& control = world_.controls[carrier];
  // A channel that is still to fall asleep carries the credits until then.
  if (!control.now.asleep() || at <= control.change_begin) return;
  triggers.withheld_bits += static_cast<std::int32_t>(bits);
  if (must_wake(carrier)) wake(carrier);
}

// An earlier check that is already on the way finds what to do next by itself.
void Partition::check_at(std::uint32_t which, TimePoint at) {
  Triggers& triggers = world_.triggers[which];
  if (at >= triggers.next_check) return;
  triggers.next_check = at;
  schedule_own(which, at, What::check);
}

// When the channel will have been idle for long enough, if nothing happens until then. It must be
// armed to rest. Credits do not keep it awake: a stream of them would, for as long as traffic of
// the other direction lasts, while half a buffer of them at a time is soon enough.
TimePoint Partition::idle_by(std::uint32_t which) const {
  return std::max(world_.channels[which].wire_end, world_.controls[which].change_end) +
         world_.triggers[which].rest_after;
}

bool Partition::may_rest(std::uint32_t which) const {
  const Triggers& triggers = world_.triggers[which];
  const Setting now = world_.controls[which].now;
  return triggers.rests() && !now.asleep() &&
         (triggers.rest.asleep() || now.step > triggers.rest.step);
}

void Partition::rest(std::uint32_t which) {
  const Setting rest = world_.triggers[which].rest;
  if (rest.asleep()) return fall_asleep(which);
  set_step(which, rest.step);
}

void Partition::check_when_idle(std::uint32_t which) {
  if (may_rest(which)) check_at(which, std::max(now_, idle_by(which)));
}

// What the triggers want now.
void Partition::check(std::uint32_t which) {
  if (is_changing(which)) return check_at(which, world_.controls[which].change_end);
  if (must_wake(which) || must_jump(which)) return on_queued(which);
  if (world_.channels[which].holding) check_patience(which);
  if (!may_rest(which)) return;
  if (has_waiting(which)) return;  // on_sent comes back to this
  if (idle_by(which) > now_) return check_when_idle(which);
  rest(which);
}

}  // namespace ebb::netsim
