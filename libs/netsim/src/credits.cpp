// SPDX-License-Identifier: Apache-2.0
//
// Buffers and credits.
#include "ebb/netsim/network.hpp"

#include <algorithm>

namespace ebb::netsim {

// Credits that were on the way when the channel that carries them went dark stay away.
TimePoint Network::credits_until(std::uint32_t channel) const {
  return channels_[channel].credits_dark ? controls_[channel].dark_from : now_;
}

bool Network::take_credits(std::uint32_t channel, VcQueue& queue, std::uint32_t bits) {
  const auto needed = static_cast<std::int32_t>(bits);
  if (queue.credit_bits < needed) {
    queue.credit_bits += credits_.collect(queue.returning, credits_until(channel));
  }
  queue.stalled = queue.credit_bits < needed;
  if (queue.stalled) return false;
  queue.credit_bits -= needed;
  return true;
}

// When more credits will be there, as far as is known.
TimePoint Network::next_credit(std::uint32_t channel, const VcQueue& queue) const {
  if (channels_[channel].credits_dark) return kNever;
  return credits_.earliest(queue.returning, kNever);
}

// The packet has left its input buffer at `at`.
void Network::free_input(const Packet& packet, TimePoint at) {
  const std::uint32_t channel = packet.input_channel;
  if (channel == kNone) return;
  VcQueue& queue = this->queue(channel, packet.input_vc);
  const TimePoint back = at + Duration(channels_[channel].latency_ps);
  // Counting what has arrived by now keeps the list short, and its memory in the cache.
  queue.credit_bits += credits_.collect(queue.returning, credits_until(channel));
  credits_.push(queue.returning, back, packet.bits);
  if (queue.stalled && !channels_[channel].credits_dark) attempt_at(channel, back);
  if (can_sleep_) on_credit(channel ^ 1U, packet.bits, at);
}

// A packet that waits for an output moves into the output buffer when there is room: at once, when
// the packet on the wire has left, or when packets before it have (leave_output).
void Network::enter_output(std::uint32_t which, std::uint8_t vc, VcQueue& queue,
                           PacketIndex index) {
  if (queue.first_outside != kNone) return;
  const Channel& channel = channels_[which];
  const Packet& packet = packets_[index];
  const auto bits = static_cast<std::int32_t>(packet.bits);
  if (queue.room_bits < bits) {
    queue.first_outside = index;
    return;
  }
  const bool leaving = channel.wire_end > now_ && channel.last_vc == vc;
  const std::int32_t room_now =
      queue.room_bits - (leaving ? static_cast<std::int32_t>(channel.wire_bits) : 0);
  queue.room_bits -= bits;
  free_input(packet, std::max(packet.tail, room_now < bits ? channel.wire_end : now_));
}

// A packet that need not wait.
void Network::pass_output(VcQueue& queue, const Packet& packet) {
  queue.room_bits -= static_cast<std::int32_t>(packet.bits);
  free_input(packet, packet.tail);
}

// A packet leaves the output buffer by `at`; those that now fit enter it.
void Network::leave_output(VcQueue& queue, std::uint32_t bits, TimePoint at) {
  queue.room_bits += static_cast<std::int32_t>(bits);
  while (queue.first_outside != kNone) {
    const Packet& packet = packets_[queue.first_outside];
    if (static_cast<std::int32_t>(packet.bits) > queue.room_bits) return;
    queue.room_bits -= static_cast<std::int32_t>(packet.bits);
    free_input(packet, std::max(packet.tail, at));
    queue.first_outside = packet.next;
  }
}

}  // namespace ebb::netsim
