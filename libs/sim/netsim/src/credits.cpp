// SPDX-License-Identifier: Apache-2.0
//
// Buffers and credits.
#include "partition.hpp"

#include <algorithm>

namespace ebb::netsim {

// Credits that were on the way when the channel that carries them was blocked do not arrive.
TimePoint Partition::credits_until(const Channel& channel) const {
  return channel.credit_return_blocked() ? channel.blocked_from : now_;
}

bool Partition::take_credits(const Channel& channel, VcQueue& queue, std::uint32_t bits) {
  if (net_.pauses) {
    queue.stalled = queue.pauses > 0;
    return !queue.stalled;
  }
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
TimePoint Partition::next_credit(const Channel& channel, const VcQueue& queue) const {
  return channel.credit_return_blocked() ? kNever : credits_.earliest(queue.returning, kNever);
}

// The packet has left its input buffer at `at`, after `leaving`.
void Partition::free_input(const Packet& packet, TimePoint at, Duration leaving) {
  const std::uint32_t which = packet.input_channel;
  if (which == kNone) return;
  const FixedChannel& fixed = net_.fixed[which];
  if (net_.gates_buffers) count_input_cells(packet, at - leaving, leaving);
  if (net_.pauses) return leave_input(packet, at);
  const TimePoint back = at + fixed.latency;
  if (fixed.cut) {
    enqueue(net_.source_of(which), back)
        .credits.push_back({back, which, packet.bits, packet.input_vc});
  } else {
    return_credit(which, packet.input_vc, packet.bits, back);
  }
  if (net_.carries_credits) on_credit(which ^ 1U, packet.bits, at);
}

void Partition::return_credit(std::uint32_t which, std::uint8_t vc, std::uint32_t bits,
                              TimePoint at) {
  const Channel& channel = net_.channels[which];
  VcQueue& queue = this->queue(which, vc);
  // Counting what has arrived by now keeps the list short, and its memory in the cache.
  queue.credit_bits += credits_.collect(queue.returning, credits_until(channel));
  credits_.push(queue.returning, at, bits);
  if (queue.stalled && !channel.credit_return_blocked()) try_send_at(which, at);
}

// A change that begins when another ends can be heard of before it: so they are counted.
void Partition::block_credit_return(std::uint32_t which, int by) {
  Channel& channel = net_.channels[which];
  channel.blocks = static_cast<std::int8_t>(channel.blocks + by);
  if (by > 0) channel.blocked_from = now_;
}

// A packet that waits for an output moves into the output buffer when there is room: at once, when
// the packet on the wire has left, or when packets before it have (leave_output).
void Partition::enter_output(std::uint32_t which, std::uint8_t vc, VcQueue& queue,
                             PacketIndex index) {
  if (queue.first_outside != kNone) return;
  const Channel& channel = net_.channels[which];
  Packet& packet = packets_[index];
  const auto bits = static_cast<std::int32_t>(packet.bits);
  if (queue.room_bits < bits) {
    queue.first_outside = index;
    return;
  }
  const bool leaving = channel.wire_end > now_ && channel.last_vc == vc;
  const std::int32_t room_now =
      queue.room_bits - (leaving ? static_cast<std::int32_t>(channel.wire_bits) : 0);
  queue.room_bits -= bits;
  move_to_output(packet, room_now < bits ? channel.wire_end : now_);
}

// Through the crossbar, when all of it is there and there is room. From then on `tail` says since
// when it is in the output buffer; it cannot be sent before.
void Partition::move_to_output(Packet& packet, TimePoint room_at) {
  const TimePoint at = std::max(packet.tail, room_at);
  free_input(packet, at, {});
  if (net_.gates_buffers) packet.tail = at;
}

// A packet that need not wait.
void Partition::pass_output(VcQueue& queue, Packet& packet) {
  queue.room_bits -= static_cast<std::int32_t>(packet.bits);
  move_to_output(packet, now_);
}

// A packet leaves the output buffer by `at`; those that now fit enter it.
void Partition::leave_output(VcQueue& queue, std::uint32_t bits, TimePoint at) {
  queue.room_bits += static_cast<std::int32_t>(bits);
  while (queue.first_outside != kNone) {
    Packet& packet = packets_[queue.first_outside];
    if (static_cast<std::int32_t>(packet.bits) > queue.room_bits) return;
    queue.room_bits -= static_cast<std::int32_t>(packet.bits);
    move_to_output(packet, at);
    queue.first_outside = packet.next;
  }
}

}  // namespace ebb::netsim
