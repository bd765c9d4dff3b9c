// SPDX-License-Identifier: Apache-2.0
//
// What a switch sees of its outputs when it has a choice.
#pragma once

#include "output_channels.hpp"
#include "partition_state.hpp"

#include <algorithm>
#include <cstdint>

namespace ebb::netsim {

class ChannelView {
 public:
  explicit ChannelView(PartitionState& part)
      : part_(part),
        net_(part.net),
        penalty_bits_(net_.config.hardware.low_power_penalty.count()) {}

  // What a packet that came now would find before it: queued, and on the wire. A channel in a
  // low-power state counts for more, so that traffic keeps to those that are up.
  [[nodiscard]] std::int64_t depth(ChannelId which) const {
    const Channel& channel = net_.channels[which];
    const std::int64_t depth =
        channel.queued_bits + (channel.wire_end > part_.now() ? channel.wire_bits : 0);
    if (penalty_bits_ == 0) return depth;
    if (is_in_low_power(which)) return depth + penalty_bits_;
    return awaits_messages(which) ? depth + penalty_bits_ - 1 : depth;
  }

  // Only for packets that have no other way: it is being drained, was so and is changing, or sleeps
  // with nothing to wake it.
  [[nodiscard]] bool is_closed(ChannelId which) const {
    const Channel& channel = net_.channels[which];
    return channel.draining || (channel.drained && net_.is_changing(which, part_.now())) ||
           (channel.free_at == kNever && !wakes_by_itself(net_, which));
  }

  // As a fast-failover group takes it: it carries packets, or will as soon as its rate has changed.
  // One that is diverted, is being drained, sleeps or wakes up is not live.
  [[nodiscard]] bool is_live(ChannelId which) const {
    const Channel& channel = net_.channels[which];
    if (channel.diverted || channel.draining || channel.free_at == kNever) return false;
    return !net_.is_changing(which, part_.now()) ||
           !(channel.drained || net_.controls[which].before.asleep());
  }

  [[nodiscard]] bool is_asleep(ChannelId which) const {
    return net_.channels[which].free_at == kNever;
  }

  // What the channel has sent since the policy last looked, and what waits for it.
  [[nodiscard]] std::int64_t used(ChannelId which) const {
    const Channel& channel = net_.channels[which];
    return channel.sent_bits - net_.controls[which].sampled_bits + channel.queued_bits;
  }

  // Bits of the buffer at the other end for which there are no credits at hand.
  [[nodiscard]] std::int64_t missing_credits(ChannelId which, std::uint8_t vc) {
    VcQueue& queue = net_.queue(which, vc);
    const TimePoint until = net_.channels[which].credits_until(part_.now());
    queue.credit_bits += part_.credits.collect(queue.returning, until);
    return net_.config.hardware.input_buffer.count() - queue.credit_bits;
  }
  // The downstream occupancy: those that are missing beyond what a sleeping channel may defer.
  [[nodiscard]] std::int64_t downstream_occupancy(ChannelId which, std::uint8_t vc) {
    const std::int64_t buffer = net_.config.hardware.input_buffer.count();
    return std::max<std::int64_t>(0, missing_credits(which, vc) - buffer / kDeferredCreditShare);
  }

  // Another packet has the virtual channel, from its head to its tail.
  [[nodiscard]] bool is_taken(ChannelId which, std::uint8_t vc) const {
    return net_.output_vc_states[net_.place(which, vc)].owner != kNoPlace;
  }

  // Paused, or with as much waiting for it here as would make a switch pause its sender: nobody
  // else tells a switch of its own full queue, and packets that have another output would starve in
  // it.
  [[nodiscard]] bool is_shut(ChannelId which, std::uint8_t vc) const {
    if (net_.queue(which, vc).pauses > 0) return true;
    return !net_.pause_channels.empty() &&
           net_.channels[which].queued_bits >= net_.pause_channels[which].xoff_bits;
  }

 private:
  // Asleep or below its full rate; not when it is on the way up, or soon will be.
  [[nodiscard]] bool is_in_low_power(ChannelId which) const {
    const Channel& channel = net_.channels[which];
    return (channel.free_at == kNever && !channel.wake_stalled) || !channel.at_full_rate;
  }

  // It wakes for messages that were announced to it, and others would follow them to channels that
  // were not. Still better than one that sleeps.
  [[nodiscard]] bool awaits_messages(ChannelId which) const {
    const Channel& channel = net_.channels[which];
    return channel.armed && channel.queued_bits == 0 && channel.free_at > channel.wire_end &&
           net_.is_changing(which, part_.now()) && net_.triggers[which].awaits_messages();
  }

  PartitionState& part_;
  NetworkState& net_;
  const std::int64_t penalty_bits_;
};

}  // namespace ebb::netsim
