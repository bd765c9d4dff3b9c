// SPDX-License-Identifier: Apache-2.0
//
// Network cards: open messages in turn, packets as they are sent (nic.hpp has their state).
#pragma once

#include "announcements.hpp"
#include "host_interfaces.hpp"
#include "nic.hpp"
#include "output_channels.hpp"
#include "partition_state.hpp"
#include "transmitter.hpp"

#include <algorithm>
#include <cstdint>

namespace ebb::netsim {

template <class Modes>
class NetworkCards {
 public:
  using FlowControl = typename Modes::FlowControl;
  using Nodes = typename Modes::Nodes;

  NetworkCards(PartitionState& part, OutputChannels& outputs, FlowControl& flow, const Nodes& nodes,
               Announcements& announcements, Transmitter<Modes>& transmitter)
      : part_(part),
        net_(part.net),
        outputs_(outputs),
        flow_(flow),
        nodes_(nodes),
        announcements_(announcements),
        transmitter_(transmitter),
        interfaces_(part) {}

  [[nodiscard]] std::uint64_t packets_sent() const { return packets_sent_; }

  // The channel of a host looks for something to send. A trigger sees every message at its birth,
  // whatever the channel is doing.
  void try_send(ChannelId which) {
    Nic& nic = net_.nic_of(which);
    if (net_.closed_loop != nullptr) part_.advance_host(nic);
    const bool armed = net_.channels[which].armed;
    const bool announces = armed && net_.triggers[which].awaits_messages();
    if (announces)
      announcements_.announce_planned(which, [&](TimePoint at) { outputs_.expect(which, at); });
    const bool fetches = armed || nic.fetches_early;
    if (fetches && interfaces_.fetch_created(nic) && armed) outputs_.on_queued(which);
    part_.calendar.try_send_at(which, send_next(nic));
    if (announces) announce_next(nic);
    if (fetches && nic.next) part_.calendar.try_send_at(which, nic.next->at);
  }

 private:
  // The next packet if nothing keeps it; gives the time at which to look again.
  TimePoint send_next(Nic& nic) {
    const ChannelId which = nic.channel;
    const std::uint32_t host = net_.host_of(which);
    const Channel& channel = net_.channels[which];
    if (!open_messages(nic, host)) return nic.next ? nic.next->at : kNever;
    if (channel.free_at > part_.now()) {
      if (channel.free_at == channel.wire_end) return channel.free_at;
      outputs_.begin_wake_stall(which, part_.now());
      if (channel.armed) outputs_.on_queued(which);
      return channel.free_at;
    }
    TimePoint earliest = kNever;
    const bool sent = nodes_.first_lane(
        which, [&](std::uint8_t lane) { return send_of_lane(nic, host, lane, earliest); });
    if (!sent) return earliest;
    if (net_.waiting_at_host(host, part_.now()) > DataSize{}) return channel.free_at;
    if (!nic.next) return kNever;
    // A channel that was being drained is on its way to sleep; the message is to be noticed then
    // too.
    return channel.free_at == kNever ? nic.next->at : std::max(channel.free_at, nic.next->at);
  }

  // Opens messages that have been created, as many as there is room for; false when no lane has
  // any.
  bool open_messages(Nic& nic, std::uint32_t host) {
    bool any = false;
    for (std::uint32_t lane = 0; lane < net_.lanes.count(); ++lane)
      any = open_messages(nic, host, lane) || any;
    return any;
  }

  // Those that are not fetched early need not pass through the backlog.
  bool open_messages(Nic& nic, std::uint32_t host, std::uint32_t lane) {
    TransmitState& sending = net_.transmit_state(host, lane);
    const Hardware& hardware = net_.config.hardware;
    const bool was_empty = sending.open.empty();
    while (sending.open.size() < hardware.open_messages) {
      const bool late = !sending.backlog.empty();
      const bool direct = nic.next && nic.next->at <= part_.now();
      if (!late && !direct) break;
      const SequencedMessage next = late ? sending.backlog.pop() : net_.take_next(nic);
      const bool announced = late && sending.next_announced;
      if (late) sending.next_announced = false;
      if (!announced && announcements_.awaits(nic.channel)) announce(nic, lane, next);
      sending.add(next, hardware.packet.count());
    }
    if (sending.open.empty()) return false;
    if (was_empty) fetch_packet(nic, sending, sending.current().created + hardware.nic.doorbell);
    return true;
  }

  // Messages are announced as long before they are sent as channels take to wake, if they are known
  // by then: the one that will be open next, while those before it are sent, or one as it is
  // opened.
  [[gnu::noinline]] void announce_next(Nic& nic) {
    for (std::uint32_t lane = 0; lane < net_.lanes.count(); ++lane) {
      TransmitState& sending = net_.transmit_state(net_.host_of(nic.channel), lane);
      if (sending.backlog.empty() || sending.next_announced) continue;
      if (sent_by(nic, sending) - part_.now() > net_.model_of(nic.channel).sleep->wake) continue;
      sending.next_announced = true;
      announce(nic, lane, sending.backlog.front());
    }
  }

  [[gnu::noinline]] void announce(Nic& nic, std::uint32_t lane, const SequencedMessage& message) {
    const TransmitState& sending = net_.transmit_state(net_.host_of(nic.channel), lane);
    const auto vc = static_cast<std::uint8_t>(lane * net_.channels_of_lane);
    announcements_.announce(nic.channel, message, vc, sent_by(nic, sending));
  }

  // When the open messages of a lane have been sent, if the channel carries nothing else.
  [[nodiscard]] TimePoint sent_by(const Nic& nic, const TransmitState& sending) const {
    return announcements_.drained(nic.channel, sending.open_bits);
  }

  // The DMA engine brings the next packet from memory, while the one before is sent.
  void fetch_packet(Nic& nic, TransmitState& sending, TimePoint from) {
    sending.fetched = nodes_.fetched(nic, from, next_packet_bits(sending));
  }

  bool send_of_lane(Nic& nic, std::uint32_t host, std::uint8_t lane, TimePoint& earliest) {
    TransmitState& sending = net_.transmit_state(host, lane);
    if (sending.open.empty()) return false;
    if (sending.fetched > part_.now()) {
      earliest = std::min(earliest, sending.fetched);
      return false;
    }
    const std::uint32_t packet =
        sending.packet_left_bits > 0 ? sending.packet_left_bits : next_packet_bits(sending);
    const std::uint32_t bits = std::min(net_.packet_bits, packet);
    const auto vc = static_cast<std::uint8_t>(lane * net_.channels_of_lane);
    VcQueue& queue = net_.queue(nic.channel, vc);
    if (!flow_.take(nic.channel, queue, bits, kNoChannel)) {
      earliest = std::min(earliest, flow_.next(nic.channel, queue));
      return false;
    }
    if (sending.packet_left_bits == 0) begin_packet(nic, sending, packet);
    send_piece(nic, sending, vc, bits);
    return true;
  }

  [[nodiscard]] std::uint32_t next_packet_bits(const TransmitState& sending) const {
    const std::int64_t most = net_.config.hardware.packet.count();
    return static_cast<std::uint32_t>(std::min(most, sending.current().left_bits));
  }

  void begin_packet(Nic& nic, TransmitState& sending, std::uint32_t bits) {
    ++packets_sent_;
    sending.packet_left_bits = bits;
    sending.packet_sent = part_.now();
    sending.flits = static_cast<std::uint16_t>((bits - 1) / net_.packet_bits + 1);
    nodes_.begin(nic, part_.now());
    nodes_.count(net_.source_of(nic.channel), 1, bits);
  }

  // The next packet is chosen, and fetched, when the one before it is sent.
  void choose_next_packet(Nic& nic, TransmitState& sending) {
    sending.pass_turn();
    if (sending.open.empty()) return;
    const TimePoint known = sending.current().created + net_.config.hardware.nic.doorbell;
    fetch_packet(nic, sending, std::max(part_.now(), known));
  }

  // A packet, or the next flit of it.
  void send_piece(Nic& nic, TransmitState& sending, std::uint8_t vc, std::uint32_t bits) {
    OpenMessage& message = sending.current();
    message.left_bits -= bits;
    sending.open_bits -= bits;
    sending.packet_left_bits -= bits;
    const bool last = sending.packet_left_bits == 0;
    const PacketIndex made = part_.packets.take();
    part_.packets[made] = {.tail = part_.now(),
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
    transmitter_.send(nic.channel, vc, made);
  }

  PartitionState& part_;
  NetworkState& net_;
  OutputChannels& outputs_;
  FlowControl& flow_;
  const Nodes& nodes_;
  Announcements& announcements_;
  Transmitter<Modes>& transmitter_;
  HostInterfaces interfaces_;
  std::uint64_t packets_sent_ = 0;
};

}  // namespace ebb::netsim
