// SPDX-License-Identifier: Apache-2.0
//
// Network cards: open messages in turn, packets as they are sent.
#include "partition.hpp"

#include <algorithm>

namespace ebb::netsim {

// Opens messages that have been created, as many as there is room for; false when none is open.
// With one lane they need not pass through the backlog.
bool Partition::open_messages(Nic& nic, TransmitState& sending) {
  const Hardware& hardware = net_.config.hardware;
  const bool was_empty = sending.open.empty();
  while (sending.open.size() < hardware.open_messages) {
    const bool late = !sending.backlog.empty();
    const bool direct = net_.lanes.count() == 1 && nic.next && nic.next->at <= now_;
    if (!late && !direct) break;
    sending.add(late ? sending.backlog.pop() : take_next(nic), hardware.packet.count());
  }
  if (sending.open.empty()) return false;
  if (was_empty) fetch_packet(nic, sending, sending.current().created + hardware.nic.doorbell);
  return true;
}

// The DMA engine brings the next packet from memory, while the one before is sent.
void Partition::fetch_packet(Nic& nic, TransmitState& sending, TimePoint from) {
  const NicHardware& hardware = net_.config.hardware.nic;
  sending.fetched = from;
  if (!hardware.takes_time()) return;
  const TimePoint begin = std::max(from, nic.dma_free);
  sending.fetched = begin + hardware.dma_time(ebb::bits(next_packet_bits(sending)));
  nic.dma_free = sending.fetched;
}

SequencedMessage Partition::take_next(Nic& nic) {
  const SequencedMessage taken{*nic.next, nic.taken++};
  nic.next = net_.messages.next(taken.message.source);
  return taken;
}

// Moves what has been created into the backlog, for triggers that count it and lanes of their own.
bool Partition::fetch_born(Nic& nic) {
  if (!nic.next || nic.next->at > now_) return false;
  const std::uint32_t host = net_.host_of(nic.channel);
  while (nic.next && nic.next->at <= now_) {
    Backlog& backlog = net_.transmit_state(host, lane_of(*nic.next)).backlog;
    backlog.push(take_next(nic));
  }
  return true;
}

std::uint32_t Partition::lane_of(const traffic::Message& message) const {
  return net_.lanes.count() == 1 ? 0 : net_.config.hardware.lane_of(message.service);
}

// A trigger sees every message at its birth, whatever the channel is doing.
void Partition::attempt_host(std::uint32_t which) {
  Nic& nic = nic_of(which);
  const bool armed = net_.channels[which].armed;
  const bool must_fetch = armed || net_.lanes.count() > 1;
  if (must_fetch && fetch_born(nic) && armed) on_queued(which);
  try_send_at(which, send_from_host(nic));
  if (must_fetch && nic.next) try_send_at(which, nic.next->at);
}

// False when no lane has any.
bool Partition::open_messages(Nic& nic, std::uint32_t host) {
  bool any = false;
  for (std::uint32_t lane = 0; lane < net_.lanes.count(); ++lane)
    any = open_messages(nic, net_.transmit_state(host, lane)) || any;
  return any;
}

// The next packet if nothing keeps it; gives the time at which to look again.
TimePoint Partition::send_from_host(Nic& nic) {
  const std::uint32_t which = nic.channel;
  const std::uint32_t host = net_.host_of(which);
  const Channel& channel = net_.channels[which];
  if (!open_messages(nic, host)) return nic.next ? nic.next->at : kNever;
  if (channel.free_at > now_) {
    if (channel.free_at == channel.wire_end) return channel.free_at;
    begin_wake_stall(which, now_);
    if (channel.armed) on_queued(which);
    return channel.free_at;
  }
  TimePoint earliest = kNever;
  if (!send_of_lanes(nic, host, earliest)) return earliest;
  if (net_.waiting_at_host(host, now_) > DataSize{}) return channel.free_at;
  if (!nic.next) return kNever;
  // A channel that was being drained is on its way to sleep; the message is to be noticed then too.
  return channel.free_at == kNever ? nic.next->at : std::max(channel.free_at, nic.next->at);
}

// One packet of the lanes in turn. If none can go: when the first might.
bool Partition::send_of_lanes(Nic& nic, std::uint32_t host, TimePoint& earliest) {
  if (net_.lanes.count() == 1) return send_of_lane(nic, host, 0, earliest);
  for (const std::uint8_t lane : net_.lanes.order(net_.turns[nic.channel])) {
    if (send_of_lane(nic, host, lane, earliest)) return true;
  }
  return false;
}

bool Partition::send_of_lane(Nic& nic, std::uint32_t host, std::uint8_t lane, TimePoint& earliest) {
  TransmitState& sending = net_.transmit_state(host, lane);
  if (sending.open.empty()) return false;
  if (sending.fetched > now_) {
    earliest = std::min(earliest, sending.fetched);
    return false;
  }
  const std::uint32_t packet =
      sending.packet_left_bits > 0 ? sending.packet_left_bits : next_packet_bits(sending);
  const std::uint32_t bits = std::min(net_.packet_bits, packet);
  const auto vc = static_cast<std::uint8_t>(lane * net_.channels_of_lane);
  const Channel& channel = net_.channels[nic.channel];
  VcQueue& queue = this->queue(nic.channel, vc);
  if (!take_credits(channel, queue, bits)) {
    earliest = std::min(earliest, next_credit(channel, queue));
    return false;
  }
  if (sending.packet_left_bits == 0) begin_packet(nic, sending, packet);
  send_piece(nic, sending, vc, bits);
  return true;
}

std::uint32_t Partition::next_packet_bits(const TransmitState& sending) const {
  const std::int64_t most = net_.config.hardware.packet.count();
  return static_cast<std::uint32_t>(std::min(most, sending.current().left_bits));
}

void Partition::begin_packet(Nic& nic, TransmitState& sending, std::uint32_t bits) {
  ++packets_sent_;
  sending.packet_left_bits = bits;
  sending.packet_sent = now_;
  sending.flits = static_cast<std::uint16_t>((bits - 1) / net_.packet_bits + 1);
  nic.dma_free = std::max(nic.dma_free, now_);
  if (!net_.work.empty()) count_work(net_.source_of(nic.channel), 1, bits);
}

// The next packet is chosen, and fetched, when the one before it is sent.
void Partition::choose_next_packet(Nic& nic, TransmitState& sending) {
  sending.pass_turn();
  if (sending.open.empty()) return;
  const TimePoint known = sending.current().created + net_.config.hardware.nic.doorbell;
  fetch_packet(nic, sending, std::max(now_, known));
}

// A packet, or the next flit of it.
void Partition::send_piece(Nic& nic, TransmitState& sending, std::uint8_t vc, std::uint32_t bits) {
  OpenMessage& message = sending.current();
  message.left_bits -= bits;
  sending.open_bits -= bits;
  sending.packet_left_bits -= bits;
  const bool last = sending.packet_left_bits == 0;
  const PacketIndex index = packets_.take();
  packets_[index] = {.tail = now_,
                     .sent = sending.packet_sent,
                     .created = message.created,
                     .source = net_.host_of(nic.channel),
                     .destination = message.destination,
                     .message = message.number,
                     .message_packets = message.packets,
                     .bits = bits,
                     .route = {},
                     .last = last,
                     .flits = sending.flits};
  if (last) choose_next_packet(nic, sending);
  send(nic.channel, vc, index);
}

}  // namespace ebb::netsim
