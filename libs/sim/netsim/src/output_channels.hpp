// SPDX-License-Identifier: Apache-2.0
//
// The power states of channels: rates, sleep, and triggers that act without a policy.
//
// The rule for every change: the packet on the wire finishes as it began, then the channel carries
// nothing, neither packets nor the credits of the reverse channel, for the time of the change, then
// it is in its new state. Whoever sends on a channel says what is queued for it, what was sent and
// which credits it carries; what follows from that is scheduled, never done in the caller's name.
//
//   OutputChannels channels(part, meters);
//   channels.apply({channel, policy::Sleep{}});
//   if (net.channels[channel].armed) channels.on_queued(channel);
#pragma once

#include "meters.hpp"
#include "partition_state.hpp"

#include "ebb/policy/action.hpp"

#include <cstdint>

namespace ebb::netsim {

// A sleeping channel defers no more credits than this part of a buffer.
inline constexpr std::int64_t kDeferredCreditShare = 4;

// Asleep, it wakes when enough is queued for it.
[[nodiscard]] bool wakes_by_itself(const NetworkState& net, ChannelId channel);

class OutputChannels {
 public:
  OutputChannels(PartitionState& part, Meters& meters)
      : part_(part), net_(part.net), meters_(meters) {}

  // What a policy asks for.
  policy::Outcome apply(const policy::Action& action);

  // Something has come to wait for an armed channel.
  void on_queued(ChannelId channel);
  // So much was sent by the detour of an armed channel that sleeps: it counts as queued for it.
  void on_bypassed(ChannelId channel, std::uint32_t bits);
  // A message should be there at the time. Only for channels that await messages.
  void expect(ChannelId channel, TimePoint at);
  // Something was sent on a channel that is armed or draining.
  void on_sent(ChannelId channel);
  // The channel carries a credit at `at`, or would if it were awake.
  void on_credit(ChannelId carrier, std::uint32_t bits, TimePoint at);
  // While something waits: the time counts as a wake stall until it is sent.
  void begin_wake_stall(ChannelId channel, TimePoint from);
  void end_wake_stall(ChannelId channel);
  // Its trigger would raise the rate if so many more bits came to wait. A channel whose voltage
  // ramps up carries them meanwhile.
  [[nodiscard]] bool must_jump(ChannelId channel, std::int64_t more_bits = 0) const;

  // Events.
  void check(ChannelId channel);
  void end_ramp(ChannelId channel);

 private:
  [[nodiscard]] policy::Reason apply_order(ChannelId channel, const policy::SetRateLevel& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel, const policy::Sleep& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel, const policy::Wake& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel, const policy::SleepWhenIdle& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel, const policy::WakeWhenQueued& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel,
                                           const policy::SpeedUpWhenQueued& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel,
                                           const policy::SlowDownWhenIdle& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel,
                                           const policy::WakeWhenAnnounced& order);
  [[nodiscard]] policy::Reason apply_order(ChannelId channel, const policy::Disarm& order);

  // output_channels.cpp: changes
  [[nodiscard]] TimePoint now() const { return part_.now(); }
  [[nodiscard]] bool is_changing(ChannelId channel) const {
    return net_.is_changing(channel, now());
  }
  [[nodiscard]] bool has_waiting(ChannelId channel) const {
    return net_.has_waiting(channel, now());
  }
  [[nodiscard]] bool must_drain(ChannelId channel, Setting to) const;
  [[nodiscard]] policy::Reason begin_drain(ChannelId channel, Setting to);
  void change_drained(ChannelId channel);
  void change(ChannelId channel, Setting to);
  void change(ChannelId channel, Setting to, Duration time);
  void tell_change(ChannelId channel) const;
  void set_rate_level(ChannelId channel, policy::RateLevel rate_level);
  void set_level(ChannelId channel, policy::RateLevel rate_level);
  void fall_asleep(ChannelId channel);
  void wake(ChannelId channel);
  // switch_groups.cpp
  void sleep_groups(ChannelId channel);
  void sleep_group(std::size_t number, TimePoint from);
  [[nodiscard]] TimePoint wake_groups(ChannelId channel);
  [[nodiscard]] TimePoint wake_group(std::size_t number);
  void wake_with_groups(ChannelId channel, Setting to);
  void ramp_later(ChannelId channel, policy::RateLevel rate_level);
  void tell_credits(ChannelId carrier, TimePoint at, EventKind what);

  // triggers.cpp
  void make_triggers();
  void arm(ChannelId channel);
  [[nodiscard]] bool may_rest(ChannelId channel) const;
  void enter_low_power(ChannelId channel);
  [[nodiscard]] bool must_wake(ChannelId channel) const;
  [[nodiscard]] bool coalescing_delay_is_over(ChannelId channel) const;
  void check_coalescing_delay(ChannelId channel);
  [[nodiscard]] bool must_return_credits(ChannelId carrier) const;
  void check_when_idle(ChannelId channel);
  void review_wake_at(ChannelId channel);
  void end_expectation(ChannelId channel);
  [[nodiscard]] TimePoint idle_by(ChannelId channel) const;

  PartitionState& part_;
  NetworkState& net_;
  Meters& meters_;
};

}  // namespace ebb::netsim
