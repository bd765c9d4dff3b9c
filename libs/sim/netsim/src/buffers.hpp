// SPDX-License-Identifier: Apache-2.0
//
// Where a packet waits in a switch: in the buffer of its input until it is on the wire, or, where
// there are output buffers, behind the crossbar as soon as there is room.
#pragma once

#include "partition_state.hpp"

#include "ebb/core/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace ebb::netsim {

template <class FlowControl, class Nodes>
class InputBuffers {
 public:
  InputBuffers(PartitionState& /*part*/, FlowControl& flow, const Nodes& nodes)
      : flow_(flow), nodes_(nodes) {}

  static constexpr bool kHasOutputBuffers = false;

  // A packet that waits for an output; one that need not wait.
  void enter(ChannelId /*channel*/, std::uint8_t /*vc*/, PacketIndex /*packet*/) const {}
  void pass(ChannelId /*channel*/, std::uint8_t /*vc*/, Packet& /*packet*/) const {}

  // The packet is on the wire of the channel for `time`, until `end`.
  void sent(ChannelId /*channel*/, std::uint8_t /*vc*/, const Packet& packet, TimePoint end,
            Duration time) {
    if (packet.input_channel == kNoChannel) return;
    nodes_.left_input(packet, end - time, time);
    flow_.left(packet, end);
  }

  void check_conservation(ChannelId /*channel*/, std::uint8_t /*vc*/, Errors& /*errors*/) const {}

 private:
  FlowControl& flow_;
  const Nodes& nodes_;
};

template <class FlowControl, class Nodes>
class OutputBuffers {
 public:
  OutputBuffers(PartitionState& part, FlowControl& flow, const Nodes& nodes)
      : part_(part), net_(part.net), flow_(flow), nodes_(nodes) {}

  static constexpr bool kHasOutputBuffers = true;

  // A packet that waits moves into the output buffer when there is room: at once, when the packet
  // on the wire has left, or when packets before it have.
  void enter(ChannelId which, std::uint8_t vc, PacketIndex waiting) {
    OutputBuffer& buffer = buffer_of(which, vc);
    if (buffer.first_outside != kNoPacket) return;
    const Channel& channel = net_.channels[which];
    Packet& packet = part_.packets[waiting];
    const auto bits = static_cast<std::int32_t>(packet.bits);
    if (buffer.room_bits < bits) {
      buffer.first_outside = waiting;
      return;
    }
    const bool leaving = channel.wire_end > part_.now() && channel.last_vc == vc;
    const std::int32_t room_now =
        buffer.room_bits - (leaving ? static_cast<std::int32_t>(channel.wire_bits) : 0);
    buffer.room_bits -= bits;
    move(packet, room_now < bits ? channel.wire_end : part_.now());
  }

  void pass(ChannelId channel, std::uint8_t vc, Packet& packet) {
    buffer_of(channel, vc).room_bits -= static_cast<std::int32_t>(packet.bits);
    move(packet, part_.now());
  }

  // Those that now fit enter the buffer.
  void sent(ChannelId channel, std::uint8_t vc, const Packet& packet, TimePoint end,
            Duration time) {
    if (net_.fixed(channel).from_host) return;
    nodes_.left_output(net_.source_of(channel), packet, end - time, time);
    OutputBuffer& buffer = buffer_of(channel, vc);
    buffer.room_bits += static_cast<std::int32_t>(packet.bits);
    while (buffer.first_outside != kNoPacket) {
      Packet& next = part_.packets[buffer.first_outside];
      if (static_cast<std::int32_t>(next.bits) > buffer.room_bits) return;
      buffer.room_bits -= static_cast<std::int32_t>(next.bits);
      move(next, end);
      buffer.first_outside = next.next;
    }
  }

  void check_conservation(ChannelId channel, std::uint8_t vc, Errors& errors) const {
    if (net_.output_buffers[net_.place(channel, vc)].room_bits ==
        net_.config.hardware.output_buffer.count())
      return;
    errors.push_back(
        {fmt::format("channel {} virtual channel {}: output buffer not empty", index(channel), vc),
         {}});
  }

 private:
  [[nodiscard]] OutputBuffer& buffer_of(ChannelId channel, std::uint8_t vc) {
    return net_.output_buffers[net_.place(channel, vc)];
  }

  // Through the crossbar, when all of it is there and there is room.
  void move(Packet& packet, TimePoint room_at) {
    const TimePoint at = std::max(packet.tail, room_at);
    if (packet.input_channel != kNoChannel) {
      nodes_.left_input(packet, at, {});
      flow_.left(packet, at);
    }
    nodes_.moved_to_output(packet, at);
  }

  PartitionState& part_;
  NetworkState& net_;
  FlowControl& flow_;
  const Nodes& nodes_;
};

}  // namespace ebb::netsim
