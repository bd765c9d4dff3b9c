// SPDX-License-Identifier: Apache-2.0
//
// Wormhole switching.
#include "partition.hpp"

namespace ebb::netsim {

// A flit has passed the switch. It follows its packet, or waits behind others in the input buffer.
void Partition::arrive_flit(std::uint32_t node, PacketIndex which) {
  const std::size_t place = world_.place(packets_[which].input_channel, packets_[which].input_vc);
  WormInput& input = world_.worm_inputs[place];
  packets_[which].next = kNone;
  (input.head == kNone ? input.head : packets_[input.tail].next) = which;
  input.tail = which;
  if (input.output != kNone) return pass_flits(input);
  if (input.asked == kNone) route_worm(node, static_cast<std::uint32_t>(place));
}

// The head of a packet is in front of the input buffer: it asks for an output.
void Partition::route_worm(std::uint32_t node, std::uint32_t place) {
  WormInput& input = world_.worm_inputs[place];
  const routing::Candidate taken = route(node, packets_[input.head]);
  input.asked = static_cast<std::uint32_t>(world_.place(index(taken.channel), taken.vc));
  WormOutput& output = world_.worm_outputs[input.asked];
  if (output.owner == kNone) return grant(input.asked, place);
  (output.first_asking == kNone ? output.first_asking
                                : world_.worm_inputs[output.last_asking].next_asking) = place;
  output.last_asking = place;
}

void Partition::grant(std::uint32_t output, std::uint32_t place) {
  world_.worm_outputs[output].owner = place;
  WormInput& input = world_.worm_inputs[place];
  input.output = output;
  input.asked = input.next_asking = kNone;
  input.passed = false;
  pass_flits(input);
}

// What there is of the packet in front goes to the queue of its output.
void Partition::pass_flits(WormInput& input) {
  const std::uint32_t channel = input.output / world_.virtual_channels;
  const auto vc = static_cast<std::uint8_t>(input.output % world_.virtual_channels);
  while (input.head != kNone && !input.passed) {
    const PacketIndex flit = input.head;
    input.head = packets_[flit].next;
    input.passed = packets_[flit].last;
    if (input.passed) return enqueue(channel, vc, flit);  // may begin the next packet of the input
    enqueue(channel, vc, flit);
  }
}

// The last flit of a packet is on the wire: its output and its input are free for the next.
void Partition::release(std::uint32_t node, std::uint32_t place) {
  WormOutput& output = world_.worm_outputs[place];
  const std::uint32_t served = output.owner;
  const std::uint32_t next = output.first_asking;
  output.owner = kNone;
  world_.worm_inputs[served].output = kNone;
  if (next != kNone) {
    output.first_asking = world_.worm_inputs[next].next_asking;
    grant(place, next);
  }
  if (world_.worm_inputs[served].head != kNone) route_worm(node, served);
}

}  // namespace ebb::netsim
