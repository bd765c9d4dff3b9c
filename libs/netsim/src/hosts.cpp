// SPDX-License-Identifier: Apache-2.0
//
// Network cards: messages one after the other, packets as they are sent.
#include "partition.hpp"

#include <algorithm>

namespace ebb::netsim {

// Puts the next message in hand if it has been born.
bool Partition::take_message(Nic& nic) {
  if (nic.backlog.empty() && (!nic.next || nic.next->at > now_)) return false;
  const bool late = !nic.backlog.empty();
  const traffic::Message message = late ? nic.backlog.pop() : *nic.next;
  if (!late) nic.next = world_.messages.next(message.source);
  nic.born = message.at;
  nic.left_bits = message.size.count();
  nic.destination = message.destination;
  nic.message = nic.started++;
  nic.message_packets =
      static_cast<std::uint32_t>((nic.left_bits + world_.packet_bits - 1) / world_.packet_bits);
  return true;
}

// Moves what has been born into the backlog, for triggers that count it.
bool Partition::fetch_born(Nic& nic) {
  if (!nic.next || nic.next->at > now_) return false;
  while (nic.next && nic.next->at <= now_) {
    nic.backlog.push(*nic.next);
    nic.next = world_.messages.next(nic.next->source);
  }
  return true;
}

// A trigger sees every message at its birth, whatever the channel is doing.
void Partition::attempt_host(std::uint32_t which) {
  Nic& nic = nic_of(which);
  const bool armed = world_.channels[which].armed;
  if (armed && fetch_born(nic)) on_queued(which);
  attempt_at(which, send_from_host(nic));
  if (armed && nic.next) attempt_at(which, nic.next->at);
}

// The next packet if nothing keeps it; gives the time at which to look again.
TimePoint Partition::send_from_host(Nic& nic) {
  const std::uint32_t which = nic.channel;
  const Channel& channel = world_.channels[which];
  if (nic.left_bits == 0 && !take_message(nic)) return nic.next ? nic.next->at : kNever;
  if (channel.free_at > now_) {
    if (channel.free_at == channel.wire_end) return channel.free_at;
    hold(which, now_);
    if (channel.armed) on_queued(which);
    return channel.free_at;
  }
  const auto bits =
      static_cast<std::uint32_t>(std::min<std::int64_t>(world_.packet_bits, nic.left_bits));
  VcQueue& queue = this->queue(which, 0);
  if (!take_credits(channel, queue, bits)) return next_credit(channel, queue);
  send_packet(nic, bits);
  if (nic.left_bits > 0 || !nic.backlog.empty()) return channel.free_at;
  if (!nic.next) return kNever;
  // A channel that was being drained is on its way to sleep; the message is to be noticed then too.
  return channel.free_at == kNever ? nic.next->at : std::max(channel.free_at, nic.next->at);
}

void Partition::send_packet(Nic& nic, std::uint32_t bits) {
  ++packets_sent_;
  nic.left_bits -= bits;
  const PacketIndex index = packets_.take();
  packets_[index] = {.tail = now_,
                     .sent = now_,
                     .born = nic.born,
                     .source = world_.source_of(nic.channel) - world_.build.graph.switch_count(),
                     .destination = nic.destination,
                     .message = nic.message,
                     .message_packets = nic.message_packets,
                     .bits = bits,
                     .route = {}};
  send(nic.channel, 0, index);
}

}  // namespace ebb::netsim
