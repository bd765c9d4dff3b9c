// SPDX-License-Identifier: Apache-2.0
//
// Network cards: messages one after the other, packets as they are sent.
#include "ebb/netsim/network.hpp"

#include <algorithm>

namespace ebb::netsim {

// Puts the next message in hand if it has been born.
bool Network::take_message(Nic& nic) {
  if (!nic.next || nic.next->at > now_) return false;
  nic.born = nic.next->at;
  nic.left_bits = nic.next->size.count();
  nic.destination = nic.next->destination;
  nic.message = nic.started++;
  nic.message_packets =
      static_cast<std::uint32_t>((nic.left_bits + packet_bits_ - 1) / packet_bits_);
  nic.next = messages_.next(nic.next->source);
  if (channels_[nic.channel].armed) on_queued(nic.channel);
  return true;
}

void Network::attempt_host(std::uint32_t which) {
  Nic& nic = nics_[source_of(which) - build_.graph.switch_count()];
  Channel& channel = channels_[which];
  if (nic.left_bits == 0 && !take_message(nic)) {
    if (nic.next) attempt_at(which, nic.next->at);
    return;
  }
  if (channel.free_at > now_) return attempt_at(which, channel.free_at);
  const auto bits = static_cast<std::uint32_t>(std::min<std::int64_t>(packet_bits_, nic.left_bits));
  VcQueue& queue = this->queue(which, 0);
  if (!take_credits(which, queue, bits)) return attempt_at(which, next_credit(which, queue));
  send_packet(nic, bits);
  if (nic.left_bits > 0) return attempt_at(which, channel.free_at);
  if (nic.next) attempt_at(which, std::max(channel.free_at, nic.next->at));
}

void Network::send_packet(Nic& nic, std::uint32_t bits) {
  ++packets_sent_;
  nic.left_bits -= bits;
  const PacketIndex index = packets_.take();
  packets_[index] = {.tail = now_,
                     .sent = now_,
                     .born = nic.born,
                     .source = source_of(nic.channel) - build_.graph.switch_count(),
                     .destination = nic.destination,
                     .message = nic.message,
                     .message_packets = nic.message_packets,
                     .bits = bits,
                     .route = {}};
  send(nic.channel, 0, index);
}

}  // namespace ebb::netsim
