// SPDX-License-Identifier: Apache-2.0
//
// A packet on the wire: from the port of a switch or a network card to the next switch, where it
// occupies the buffer that flow control has taken for it, or to its host.
#pragma once

#include "host_receiver.hpp"
#include "output_channels.hpp"
#include "partition_state.hpp"

#include <algorithm>
#include <cstdint>

namespace ebb::netsim {

template <class Modes>
class Transmitter {
 public:
  using Nodes = typename Modes::Nodes;

  Transmitter(PartitionState& part, OutputChannels& outputs, typename Modes::Buffers& buffers,
              const Nodes& nodes)
      : part_(part),
        net_(part.net),
        outputs_(outputs),
        buffers_(buffers),
        nodes_(nodes),
        receiver_(part, nodes) {}

  [[nodiscard]] std::uint64_t transmissions() const { return transmissions_; }
  [[nodiscard]] std::size_t incomplete_messages() const { return receiver_.incomplete(); }

  // The channel is free, and flow control has taken what the packet needs.
  void send(ChannelId which, std::uint8_t vc, PacketIndex first) {
    ++transmissions_;
    Channel& channel = net_.channels[which];
    const Packet& packet = part_.packets[first];
    const Duration time = net_.transmission_time(which, packet.bits);
    channel.wire_end = part_.now() + time;
    channel.free_at = channel.wire_end;
    channel.busy += time;
    channel.sent_bits += packet.bits;
    channel.wire_bits = packet.bits;
    channel.last_vc = vc;
    nodes_.sent(which, vc, packet.bits);
    buffers_.sent(which, vc, packet, channel.wire_end, time);
    if (part_.watched && net_.closed_loop != nullptr) tell_held(which, packet, time);
    if (channel.wake_stalled) outputs_.end_wake_stall(which);
    if (channel.armed || channel.draining) outputs_.on_sent(which);
    if (!net_.fixed(which).to_host) return forward(which, vc, first);
    if (packet.last) receiver_.deliver(packet, channel.wire_end + net_.fixed(which).latency);
    part_.packets.give_back(first);
  }

 private:
  // What waits for a sleeping channel waits for its waking from the beginning; what waits for one
  // that changes its rate, from when the change began.
  void tell_held(ChannelId which, const Packet& packet, Duration time) {
    const ChannelControl& control = net_.controls[which];
    const TimePoint ready = ready_to_leave(which, packet);
    const TimePoint from = control.before.asleep() ? ready : std::max(ready, control.change_begin);
    const Duration waking = std::max(Duration{}, std::min(part_.now(), control.change_end) - from);
    const Duration slower =
        net_.channels[which].at_full_rate ? Duration{} : time - full_rate_time(which, packet.bits);
    if (waking == Duration{} && slower == Duration{}) return;
    part_.observer.packet_held(
        {net_.host_of_interface(packet.source), packet.message, which, waking, slower});
  }
  // At its host a packet is there as soon as its message is; at a switch when it could have been
  // sent on.
  [[nodiscard]] TimePoint ready_to_leave(ChannelId which, const Packet& packet) const {
    if (net_.fixed(which).from_host) return packet.created;
    const ChannelModel& model = net_.model_of(packet.input_channel);
    const Duration received =
        serialization_time(ebb::bits(packet.bits), model.rate_levels[packet.input_rate_level].rate);
    return packet.tail - std::min(received, net_.cut_through);
  }
  [[nodiscard]] Duration full_rate_time(ChannelId which, std::uint32_t bits) const {
    return serialization_time(ebb::bits(bits), net_.model_of(which).rate_levels.back().rate);
  }

  void forward(ChannelId which, std::uint8_t vc, PacketIndex first) {
    const FixedChannel& fixed = net_.fixed(which);
    const Duration passing = fixed.latency + net_.config.hardware.switch_latency;
    Packet& packet = part_.packets[first];
    packet.tail = net_.channels[which].wire_end + passing;
    packet.input_channel = which;
    packet.input_cut = fixed.cut;
    packet.input_vc = vc;
    packet.input_rate_level = net_.channels[which].rate_level & 63U;
    const TimePoint at = std::max(part_.now() + passing, packet.tail - net_.cut_through);
    if (!fixed.cut) return part_.calendar.schedule_arrival(which, at, first);
    part_.exchange.enqueue(fixed.target, at).packets.push_back({at, which, packet});
    part_.packets.give_back(first);
  }

  PartitionState& part_;
  NetworkState& net_;
  OutputChannels& outputs_;
  typename Modes::Buffers& buffers_;
  const Nodes& nodes_;
  HostReceiver<Nodes> receiver_;
  std::uint64_t transmissions_ = 0;
};

}  // namespace ebb::netsim
