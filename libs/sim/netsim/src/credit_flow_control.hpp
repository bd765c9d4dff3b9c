// SPDX-License-Identifier: Apache-2.0
//
// Credits: the sender knows what is free in the input buffer at the other end. Space that a packet
// leaves travels back as a credit, on the reverse channel or on wires of its own.
#pragma once

#include "output_channels.hpp"
#include "partition_state.hpp"

#include "ebb/core/result.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

namespace ebb::netsim {

// What an event of flow control leads to.
struct FlowEvent {
  std::optional<ChannelId> may_send = std::nullopt;  // has something new to look at
  std::optional<VcPlace> paused = std::nullopt;      // has just been stopped
};

class CreditFlowControl {
 public:
  CreditFlowControl(PartitionState& part, OutputChannels& outputs)
      : part_(part), net_(part.net), outputs_(outputs) {}

  // Whether a packet that comes from `input` may go past one from `other_input` that waits in front
  // of it for the same virtual channel.
  static constexpr bool kOvertakes = false;

  // Takes what a packet needs that comes from `input`, or says that it has to wait.
  [[nodiscard]] bool take(ChannelId channel, VcQueue& queue, std::uint32_t bits,
                          ChannelId /*input*/) {
    return take_when(channel, queue, bits, bits);
  }

  // When one that waits may go, as far as is known.
  [[nodiscard]] TimePoint next(ChannelId channel, const VcQueue& queue) const {
    return net_.channels[channel].credit_return_blocked()
               ? kNever
               : CreditPool::earliest(queue.returning, kNever);
  }

  // The head of a packet has passed the switch that its input buffer belongs to.
  void arrived(const Packet& /*packet*/) const {}

  // The input buffer of the packet is free from `at` on.
  void left(const Packet& packet, TimePoint at) { left_bits(packet, packet.bits, at); }

  // A credit that counts from `at` on.
  void give_back(ChannelId channel, std::uint8_t vc, std::uint32_t bits, TimePoint at) {
    VcQueue& queue = net_.queue(channel, vc);
    // Counting what has arrived by now keeps the list short, and its memory in the cache.
    collect(channel, queue);
    part_.credits.push(queue.returning, at, bits);
    if (queue.stalled && !net_.channels[channel].credit_return_blocked())
      part_.calendar.try_send_at(channel, at);
  }

  // A change that begins when another ends can be heard of before it: so they are counted.
  FlowEvent handle(EventKind what, std::uint32_t which) {
    Channel& channel = net_.channels[ChannelId{which}];
    if (what == EventKind::credit_return_unblocked) {
      --channel.queue.credit_blocks;
      return {.may_send = ChannelId{which}};
    }
    if (what == EventKind::credit_return_blocked) {
      ++channel.queue.credit_blocks;
      channel.blocked_from = part_.now();
    }
    return {};
  }

  // What is left over when nothing moves any more.
  void check_conservation(ChannelId channel, std::uint8_t vc, Errors& errors) {
    VcQueue& queue = net_.queue(channel, vc);
    queue.credit_bits += part_.credits.collect(queue.returning, TimePoint::max());
    const std::int64_t all = net_.config.hardware.input_buffer.count();
    if (queue.credit_bits == all) return;
    errors.push_back({fmt::format("channel {} virtual channel {}: {} of {} bits of credit",
                                  index(channel), vc, queue.credit_bits, all),
                      {}});
  }

 protected:
  // Takes so many bits when at least `needed` are at hand.
  [[nodiscard]] bool take_when(ChannelId channel, VcQueue& queue, std::uint32_t needed,
                               std::uint32_t taken) {
    const auto least = static_cast<std::int32_t>(needed);
    if (queue.credit_bits < least) collect(channel, queue);
    queue.stalled = queue.credit_bits < least;
    if (queue.stalled) return false;
    queue.credit_bits -= static_cast<std::int32_t>(taken);
    return true;
  }

  void left_bits(const Packet& packet, std::uint32_t bits, TimePoint at) {
    const ChannelId channel = packet.input_channel;
    const FixedChannel& fixed = net_.fixed(net_.own_channel(packet));
    const TimePoint back = at + fixed.latency;
    if (fixed.cut) {
      part_.exchange.enqueue(net_.sender(packet), back)
          .credits.push_back({back, channel, bits, packet.input_vc});
    } else {
      give_back(channel, packet.input_vc, bits, back);
    }
    if (fixed.defers_credits) outputs_.on_credit(topology::reverse(channel), bits, at);
  }

  void collect(ChannelId channel, VcQueue& queue) {
    const TimePoint until = net_.channels[channel].credits_until(part_.now());
    queue.credit_bits += part_.credits.collect(queue.returning, until);
  }

  PartitionState& part_;
  NetworkState& net_;

 private:
  OutputChannels& outputs_;
};

}  // namespace ebb::netsim
