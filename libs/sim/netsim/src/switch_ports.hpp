// SPDX-License-Identifier: Apache-2.0
//
// The output ports of switches: queues per virtual channel, first come first served, and whose turn
// it is among them.
#pragma once

#include "congestion_notifications.hpp"
#include "output_channels.hpp"
#include "partition_state.hpp"
#include "router.hpp"
#include "transmitter.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ebb::netsim {

template <class Modes>
class SwitchPorts {
 public:
  using FlowControl = typename Modes::FlowControl;
  using Buffers = typename Modes::Buffers;
  using Nodes = typename Modes::Nodes;

  SwitchPorts(PartitionState& part, OutputChannels& outputs, FlowControl& flow, Buffers& buffers,
              const Nodes& nodes, Transmitter<Modes>& transmitter)
      : part_(part),
        net_(part.net),
        outputs_(outputs),
        flow_(flow),
        buffers_(buffers),
        nodes_(nodes),
        transmitter_(transmitter),
        notifications_(part) {}

  // A packet has found its output: it is sent at once if nothing keeps it (then true), or waits.
  bool enqueue(Output to, PacketIndex arrived) {
    Packet& packet = part_.packets[arrived];
    Channel& channel = net_.channels[to.channel];
    const bool jumps = channel.armed && outputs_.must_jump(to.channel, packet.bits);
    const auto wait = jumps ? std::optional(kNever) : send_or_wait(to, arrived);
    if (!wait) return true;
    VcQueue& queue = net_.queue(to.channel, to.vc);
    queue.push(part_.packets, arrived);
    channel.set_waiting(to.vc);
    if (channel.queued_bits == 0 && channel.free_at > channel.wire_end)
      outputs_.begin_wake_stall(to.channel, part_.now());
    channel.queued_bits += packet.bits;
    buffers_.enter(to.channel, to.vc, arrived);
    if (net_.fixed(to.channel).notifies) notifications_.review(net_.source_of(to.channel));
    if (channel.armed) outputs_.on_queued(to.channel);
    part_.calendar.try_send_at(to.channel, *wait);
    return false;
  }

  // Sends what is next on the channel, if it can; then the virtual channel that was served.
  std::optional<std::uint8_t> try_send(ChannelId which) {
    Channel& channel = net_.channels[which];
    if (channel.queued_bits == 0) return std::nullopt;
    if (channel.free_at > part_.now()) {
      part_.calendar.try_send_at(which, channel.free_at);
      return std::nullopt;
    }
    TimePoint earliest = kNever;
    std::optional<std::uint8_t> served;
    const bool sent = nodes_.first_lane(which, [&](std::uint8_t lane) {
      served = send_of_lane(which, lane, earliest);
      return served.has_value();
    });
    if (!sent) {
      part_.calendar.try_send_at(which, earliest);
    } else if (channel.queued_bits > 0) {
      part_.calendar.try_send_at(which, channel.free_at);
    }
    return served;
  }

  [[nodiscard]] CongestionNotifications& notifications() { return notifications_; }

 private:
  // Nothing when it was sent; else when it might go, or kNever when that is not known or is already
  // looked after, as behind a packet that waits.
  std::optional<TimePoint> send_or_wait(Output to, PacketIndex arrived) {
    const Channel& channel = net_.channels[to.channel];
    const TimePoint now = part_.now();
    if (channel.free_at > now) return channel.free_at;
    // The channel has come free at this very moment: who comes just now has no turn before those
    // that wait, or a stream in step with the channel would keep the others out.
    if (channel.free_at == now && channel.queued_bits > 0) return now;
    VcQueue& queue = net_.queue(to.channel, to.vc);
    Packet& packet = part_.packets[arrived];
    if (queue.head != kNoPacket && !overtakes(to.channel, packet, queue)) return kNever;
    const TimePoint ready = packet.tail - net_.transmission_time(to.channel, packet.bits);
    if (ready > now) return ready;
    if (!net_.fixed(to.channel).to_host &&
        !flow_.take(to.channel, queue, packet.bits, packet.input_channel)) {
      return flow_.next(to.channel, queue);
    }
    if constexpr (FlowControl::kOvertakes) queue.stalled = queue.head != kNoPacket;
    buffers_.pass(to.channel, to.vc, packet);
    transmitter_.send(to.channel, to.vc, arrived);
    return std::nullopt;
  }

  // Past the one in front of the queue.
  [[nodiscard]] bool overtakes(ChannelId channel, const Packet& packet,
                               const VcQueue& queue) const {
    if constexpr (FlowControl::kOvertakes) {
      return flow_.overtakes(channel, packet.input_channel,
                             part_.packets[queue.head].input_channel);
    } else {
      return false;
    }
  }

  // One packet of the virtual channels of a lane in turn. If none can go: when the first might.
  std::optional<std::uint8_t> send_of_lane(ChannelId which, std::uint32_t lane,
                                           TimePoint& earliest) {
    Channel& channel = net_.channels[which];
    const std::uint32_t count = net_.channels_of_lane;
    for (std::uint32_t i = 1; i <= count; ++i) {
      const auto vc = static_cast<std::uint8_t>(lane * count + (channel.last_vc + i) % count);
      if (!channel.may_wait(vc)) continue;
      VcQueue& queue = net_.queue(which, vc);
      const PacketIndex first = queue.head;
      if (first == kNoPacket) continue;
      const Packet& packet = part_.packets[first];
      const TimePoint ready = packet.tail - net_.transmission_time(which, packet.bits);
      if (ready > part_.now()) {
        earliest = std::min(earliest, ready);
        continue;
      }
      if (!net_.fixed(which).to_host &&
          !flow_.take(which, queue, packet.bits, packet.input_channel)) {
        earliest = std::min(earliest, flow_.next(which, queue));
        if constexpr (FlowControl::kOvertakes) {
          if (send_overtaking(which, vc, queue)) return vc;
        }
        continue;
      }
      queue.head = packet.next;
      if (queue.head == kNoPacket) channel.clear_waiting(vc);
      channel.queued_bits -= packet.bits;
      if (net_.fixed(which).notifies) notifications_.review(net_.source_of(which));
      transmitter_.send(which, vc, first);
      return vc;
    }
    return std::nullopt;
  }

  // The first packet behind the one in front that may go past it, if it can be sent.
  bool send_overtaking(ChannelId which, std::uint8_t vc, VcQueue& queue) {
    for (PacketIndex before = queue.head; before != kNoPacket;) {
      const PacketIndex one = part_.packets[before].next;
      if (one == kNoPacket) return false;
      const Packet& packet = part_.packets[one];
      const TimePoint ready = packet.tail - net_.transmission_time(which, packet.bits);
      if (overtakes(which, packet, queue) && ready <= part_.now() &&
          flow_.take(which, queue, packet.bits, packet.input_channel)) {
        part_.packets[before].next = packet.next;
        if (queue.tail == one) queue.tail = before;
        queue.stalled = true;  // the one in front still waits
        net_.channels[which].queued_bits -= packet.bits;
        transmitter_.send(which, vc, one);
        return true;
      }
      before = one;
    }
    return false;
  }

  PartitionState& part_;
  NetworkState& net_;
  OutputChannels& outputs_;
  FlowControl& flow_;
  Buffers& buffers_;
  const Nodes& nodes_;
  Transmitter<Modes>& transmitter_;
  CongestionNotifications notifications_;
};

}  // namespace ebb::netsim
