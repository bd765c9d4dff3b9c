// SPDX-License-Identifier: Apache-2.0
//
// How packets pass a switch: in one piece, from the queue of an input to that of an output, or in
// flits that follow their head (wormhole switching). Then a virtual channel belongs to one packet
// from its head to its tail, and a packet that cannot go on stays spread over the switches behind
// it.
#pragma once

#include "partition_state.hpp"
#include "router.hpp"
#include "switch_ports.hpp"

#include "ebb/core/result.hpp"
#include "ebb/routing/routing.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace ebb::netsim {

template <class Modes>
class PacketSwitching {
 public:
  PacketSwitching(PartitionState& part, SwitchPorts<Modes>& ports, Router& router,
                  const typename Modes::Nodes& nodes)
      : part_(part), ports_(ports), router_(router), nodes_(nodes) {}

  // The head of a packet has passed the switch and looks for an output.
  void arrive(NodeId at, PacketIndex arrived, routing::Candidates& scratch) {
    Packet& packet = part_.packets[arrived];
    (void)ports_.enqueue(router_.route(at, packet, nodes_.first_vc(packet), scratch), arrived);
  }
  // A port looks for something to send.
  void try_send(ChannelId channel, routing::Candidates& /*scratch*/) {
    (void)ports_.try_send(channel);
  }

  void check_conservation(ChannelId /*channel*/, std::uint8_t /*vc*/, Errors& /*errors*/) const {}

 private:
  PartitionState& part_;
  SwitchPorts<Modes>& ports_;
  Router& router_;
  const typename Modes::Nodes& nodes_;
};

template <class Modes>
class FlitSwitching {
 public:
  FlitSwitching(PartitionState& part, SwitchPorts<Modes>& ports, Router& router,
                const typename Modes::Nodes& nodes)
      : part_(part), net_(part.net), ports_(ports), router_(router), nodes_(nodes) {}

  // A flit follows its packet, or waits behind others in the input buffer.
  void arrive(NodeId at, PacketIndex arrived, routing::Candidates& scratch) {
    Packet& flit = part_.packets[arrived];
    const VcPlace place = net_.place(flit.input_channel, flit.input_vc);
    InputVcState& input = net_.input_vc_states[place];
    flit.next = kNoPacket;
    (input.head == kNoPacket ? input.head : part_.packets[input.tail].next) = arrived;
    input.tail = arrived;
    if (input.output != kNoPlace) return pass_flits(at, input, scratch);
    if (input.requested == kNoPlace) request(at, place, scratch);
  }

  // The last flit of a packet on the wire frees its output and its input for the next.
  void try_send(ChannelId channel, routing::Candidates& scratch) {
    const auto vc = ports_.try_send(channel);
    if (!vc) return;
    const VcPlace output = net_.place(channel, *vc);
    const InputVcState& served = net_.input_vc_states[net_.output_vc_states[output].owner];
    if (served.passed && net_.queue(output).head == kNoPacket)
      release(net_.source_of(channel), output, scratch);
  }

  void check_conservation(ChannelId channel, std::uint8_t vc, Errors& errors) const {
    if (net_.output_vc_states[net_.place(channel, vc)].owner == kNoPlace) return;
    errors.push_back(
        {fmt::format("channel {} virtual channel {} belongs to a packet", index(channel), vc), {}});
  }

 private:
  // The head of a packet is in front of the input buffer: it asks for an output.
  void request(NodeId at, VcPlace place, routing::Candidates& scratch) {
    InputVcState& input = net_.input_vc_states[place];
    Packet& head = part_.packets[input.head];
    const Output taken = router_.route(at, head, nodes_.first_vc(head), scratch);
    input.requested = net_.place(taken.channel, taken.vc);
    OutputVcState& output = net_.output_vc_states[input.requested];
    if (output.owner == kNoPlace) return grant(at, input.requested, place, scratch);
    (output.first_requester == kNoPlace
         ? output.first_requester
         : net_.input_vc_states[output.last_requester].next_requester) = place;
    output.last_requester = place;
  }

  void grant(NodeId at, VcPlace output, VcPlace place, routing::Candidates& scratch) {
    net_.output_vc_states[output].owner = place;
    InputVcState& input = net_.input_vc_states[place];
    input.output = output;
    input.requested = input.next_requester = kNoPlace;
    input.passed = false;
    pass_flits(at, input, scratch);
  }

  // What there is of the packet in front goes to the queue of its output.
  void pass_flits(NodeId at, InputVcState& input, routing::Candidates& scratch) {
    const VcPlace output = input.output;
    const Output to{net_.channel_of(output), net_.vc_of(output)};
    while (input.head != kNoPacket && !input.passed) {
      const PacketIndex flit = input.head;
      input.head = part_.packets[flit].next;
      input.passed = part_.packets[flit].last;
      const bool last = input.passed;
      const bool sent = ports_.enqueue(to, flit);
      if (last && sent) return release(at, output, scratch);
    }
  }

  void release(NodeId at, VcPlace place, routing::Candidates& scratch) {
    OutputVcState& output = net_.output_vc_states[place];
    const VcPlace served = output.owner;
    const VcPlace next = output.first_requester;
    output.owner = kNoPlace;
    net_.input_vc_states[served].output = kNoPlace;
    if (next != kNoPlace) {
      output.first_requester = net_.input_vc_states[next].next_requester;
      grant(at, place, next, scratch);
    }
    if (net_.input_vc_states[served].head != kNoPacket) request(at, served, scratch);
  }

  PartitionState& part_;
  NetworkState& net_;
  SwitchPorts<Modes>& ports_;
  Router& router_;
  const typename Modes::Nodes& nodes_;
};

}  // namespace ebb::netsim
