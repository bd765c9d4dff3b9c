// SPDX-License-Identifier: Apache-2.0
//
// Packets that turn away from an output that has been paused while they wait for it, for routings
// that send them another way (ebb/routing/congestion.hpp, PauseDiversion).
#pragma once

#include "output_channels.hpp"
#include "partition_state.hpp"
#include "router.hpp"
#include "switch_ports.hpp"

#include <optional>

namespace ebb::netsim {

template <class Modes>
class Diversion {
 public:
  using Buffers = typename Modes::Buffers;
  using Nodes = typename Modes::Nodes;

  Diversion(PartitionState& part, OutputChannels& outputs, SwitchPorts<Modes>& ports,
            Router& router, const Nodes& nodes)
      : part_(part),
        net_(part.net),
        outputs_(outputs),
        ports_(ports),
        router_(router),
        nodes_(nodes) {}

  // Those that have not crossed over to the output buffer are looked up again. The others stay in
  // their order.
  void divert(VcPlace place, routing::Candidates& scratch) {
    const ChannelId which = net_.channel_of(place);
    Channel& channel = net_.channels[which];
    if (!router_.diverts() || net_.fixed(which).from_host || channel.draining) return;
    const NodeId at = net_.source_of(which);
    const PacketIndex first = take_out(at, place);
    if (first == kNoPacket) return;
    if (channel.queued_bits == 0 && channel.wake_stalled) outputs_.end_wake_stall(which);
    if (channel.armed) outputs_.on_sent(which);
    send(at, first, scratch);
  }

 private:
  // The first of the packets that leave the queue, in their order.
  PacketIndex take_out(NodeId at, VcPlace place) {
    VcQueue& queue = net_.queue(place);
    VcQueue diverted;
    OutputBuffer none;
    OutputBuffer& buffer = Buffers::kHasOutputBuffers ? net_.output_buffers[place] : none;
    bool crossed = Buffers::kHasOutputBuffers;
    PacketIndex next = queue.head;
    queue.head = queue.tail = kNoPacket;
    while (next != kNoPacket) {
      const PacketIndex one = next;
      Packet& packet = part_.packets[one];
      next = packet.next;
      if (one == buffer.first_outside) {
        crossed = false;
        buffer.first_outside = kNoPacket;
      }
      const auto detour =
          crossed ? std::nullopt : router_.diverted(at, packet, place, nodes_.first_vc(packet));
      if (detour) {
        packet.route = *detour;
        net_.channels[net_.channel_of(place)].queued_bits -= packet.bits;
        diverted.push(part_.packets, one);
        continue;
      }
      if (!crossed && Buffers::kHasOutputBuffers && buffer.first_outside == kNoPacket)
        buffer.first_outside = one;
      queue.push(part_.packets, one);
    }
    if (queue.head == kNoPacket)
      net_.channels[net_.channel_of(place)].clear_waiting(net_.vc_of(place));
    return diverted.head;
  }

  void send(NodeId at, PacketIndex first, routing::Candidates& scratch) {
    for (PacketIndex next = first; next != kNoPacket;) {
      const PacketIndex one = next;
      Packet& packet = part_.packets[one];
      next = packet.next;
      (void)ports_.enqueue(router_.step(at, packet, nodes_.first_vc(packet), scratch), one);
    }
  }

  PartitionState& part_;
  NetworkState& net_;
  OutputChannels& outputs_;
  SwitchPorts<Modes>& ports_;
  Router& router_;
  const Nodes& nodes_;
};

}  // namespace ebb::netsim
