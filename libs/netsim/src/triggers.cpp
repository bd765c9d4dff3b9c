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
  world_.channels[which].armed = true;
  world_.triggers[which].sleep_after = order.idle;
  world_.triggers[which].sleep_wakes_at = threshold(order.wake);
  if (must_wake(which)) wake(which);
  idle_check_after(which, now_);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::WakeWhenQueued& order) {
  if (!world_.model_of(which).sleep) return Reason::not_supported;
  world_.channels[which].armed = true;
  world_.triggers[which].wakes_at = threshold(order.queued);
  if (must_wake(which)) wake(which);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::JumpWhenQueued& order) {
  if (index(order.step) >= world_.model_of(which).steps.size()) return Reason::not_supported;
  // Actions come between runs: no other thread is looking.
  if (world_.triggers.empty()) world_.triggers.resize(world_.channels.size());
  world_.channels[which].armed = true;
  world_.triggers[which].jumps_at = threshold(order.queued);
  world_.triggers[which].jumps_to = order.step;
  on_queued(which);
  return Reason::done;
}

Reason Partition::obey(std::uint32_t which, const policy::Disarm& /*order*/) {
  if (!world_.channels[which].armed) return Reason::done;
  world_.channels[which].armed = false;
  Triggers& triggers = world_.triggers[which];
  triggers.sleep_after = Duration(-1);
  triggers.sleep_wakes_at = 0;
  triggers.wakes_at = 0;
  triggers.jumps_at = 0;
  return Reason::done;
}

// A channel that can wake by itself also does so when half a buffer of credits waits to be carried,
// or so many that the far end may lack those for one packet: it would run dry without them.
bool Partition::must_wake(std::uint32_t which) const {
  if (!world_.controls[which].now.asleep() || is_changing(which)) return false;
  const Triggers& triggers = world_.triggers[which];
  const std::int64_t waiting = world_.waiting(which, now_).count();
  const auto reached = [waiting](std::int32_t least) { return least > 0 && waiting >= least; };
  if (reached(triggers.sleep_wakes_at) || reached(triggers.wakes_at)) return true;
  if (triggers.sleep_wakes_at == 0 && triggers.wakes_at == 0) return false;
  const std::int64_t buffer = world_.build.hardware.input_buffer.count();
  const std::int64_t withheld = triggers.withheld_bits;
  return 2 * withheld >= buffer || withheld > buffer - world_.packet_bits;
}

void Partition::on_queued(std::uint32_t which) {
  if (must_wake(which)) return wake(which);
  const Triggers& triggers = world_.triggers[which];
  const Setting now = world_.controls[which].now;
  if (triggers.jumps_at == 0 || now.asleep() || is_changing(which)) return;
  if (now.step < triggers.jumps_to && world_.waiting(which, now_).count() >= triggers.jumps_at) {
    set_step(which, triggers.jumps_to);
  }
}

void Partition::on_sent(std::uint32_t which) {
  if (!has_waiting(which)) idle_check_after(which, world_.channels[which].wire_end);
}

// The channel carries a credit at `at`, or would if it were awake.
void Partition::on_credit(std::uint32_t carrier, std::uint32_t bits, TimePoint at) {
  Triggers& triggers = world_.triggers[carrier];
  if (triggers.last_credit <= now_) triggers.promised_bits = 0;
  triggers.promised_bits += static_cast<std::int32_t>(bits);
  triggers.last_credit = std::max(triggers.last_credit, at);
  if (!world_.controls[carrier].now.asleep()) return;
  triggers.withheld_bits += static_cast<std::int32_t>(bits);
  if (must_wake(carrier)) wake(carrier);
}

void Partition::idle_check_after(std::uint32_t which, TimePoint quiet_since) {
  if (!world_.channels[which].armed) return;
  Triggers& triggers = world_.triggers[which];
  if (!triggers.sleeps() || triggers.idle_check_pending) return;
  triggers.idle_check_pending = true;
  schedule_own(which, quiet_since + triggers.sleep_after, What::idle_check);
}

void Partition::idle_check(std::uint32_t which) {
  Triggers& triggers = world_.triggers[which];
  triggers.idle_check_pending = false;
  if (must_wake(which)) return wake(which);
  if (!triggers.sleeps() || world_.controls[which].now.asleep()) return;
  if (has_waiting(which)) return;  // on_sent comes back to this
  const TimePoint quiet_since = std::max(
      {world_.channels[which].wire_end, world_.controls[which].change_end, triggers.last_credit});
  if (quiet_since + triggers.sleep_after > now_) return idle_check_after(which, quiet_since);
  fall_asleep(which);
}

}  // namespace ebb::netsim
