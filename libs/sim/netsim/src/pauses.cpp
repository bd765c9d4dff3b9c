// SPDX-License-Identifier: Apache-2.0
//
// Pause frames: the input buffers that send them, the channels that obey them, and packets that
// take another way because of them.
#include "partition.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>

namespace ebb::netsim {

using routing::Candidate;
using topology::NodeId;

// A packet is counted when its head has passed the switch, and in full.
void Partition::enter_input(const Packet& packet) {
  const std::size_t place = world_.place(packet.input_channel, packet.input_vc);
  PauseInput& input = world_.pause_inputs[place];
  input.occupied_bits += static_cast<std::int32_t>(packet.bits);
  input.occupied_bits -= credits_.collect(input.leaving, now_);
  EBB_CHECK(input.occupied_bits <= world_.build.hardware.input_buffer.count(),
            "a packet is lost: the headroom of an input buffer was too small");
  if (input.pausing || input.occupied_bits < world_.pause_channels[packet.input_channel].xoff_bits)
    return;
  input.pausing = true;
  tell_pause(place, true);
  look_at(place, credits_.earliest(input.leaving, kNever));
}

// Its space becomes free at `at`.
void Partition::leave_input(const Packet& packet, TimePoint at) {
  const std::size_t place = world_.place(packet.input_channel, packet.input_vc);
  PauseInput& input = world_.pause_inputs[place];
  credits_.push(input.leaving, at, packet.bits);
  if (input.pausing) look_at(place, at);
}

// An earlier look that is already on the way finds what to do next by itself.
void Partition::look_at(std::size_t place, TimePoint at) {
  PauseInput& input = world_.pause_inputs[place];
  if (at >= input.next_look) return;
  input.next_look = at;
  const std::uint32_t node = world_.fixed[world_.channel_of(place)].target;
  const auto which = static_cast<std::uint32_t>(place);
  schedule(node, node, at, What::look, which, which);
}

void Partition::look(std::uint32_t place) {
  PauseInput& input = world_.pause_inputs[place];
  if (input.next_look != now_) return;
  input.next_look = kNever;
  input.occupied_bits -= credits_.collect(input.leaving, now_);
  if (!input.pausing) return;
  if (input.occupied_bits > world_.pause_channels[world_.channel_of(place)].xon_bits)
    return look_at(place, credits_.earliest(input.leaving, kNever));
  input.pausing = false;
  tell_pause(place, false);
}

// The lowest bit of the message is 0 for a pause, so that of two messages that come at one moment
// the pause is first: see hear_pause.
void Partition::tell_pause(std::size_t place, bool pause) {
  const std::uint32_t which = world_.channel_of(place);
  const auto message = static_cast<std::uint32_t>(place << 1U | (pause ? 0U : 1U));
  tell({now_ + world_.pause_channels[which].delay, world_.fixed[which].target,
        world_.source_of(which), message},
       What::pause);
}

// Pauses are counted: one that is to be lifted at this moment may be heard of after the next began.
void Partition::hear_pause(std::uint32_t message) {
  const std::size_t place = message >> 1U;
  const std::uint32_t which = world_.channel_of(place);
  VcQueue& queue = world_.queues[place];
  if ((message & 1U) == 0) {
    ++queue.pauses;
    if (world_.detour_rule == routing::DetourRule::paused) divert_waiting(which, place);
    return;
  }
  if (--queue.pauses == 0) attempt(which);
}

// Paused, or with as much waiting for it here as would make a switch pause its sender: nobody else
// tells a switch of its own full queue, and packets that could go another way would starve in it.
bool Partition::is_shut(const Candidate& one) {
  const std::uint32_t which = index(one.channel);
  if (queue(which, vc_of(one)).pauses > 0) return true;
  return world_.pauses &&
         world_.channels[which].queued_bits >= world_.pause_channels[which].xoff_bits;
}

bool Partition::is_paused(NodeId at, NodeId destination, routing::RouteState state) {
  world_.build.routing.candidates(at, destination, state, candidates_);
  return std::all_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& one) { return is_shut(one); });
}

// The detour of a packet that waits at its first switch for the paused output, if it has one.
std::optional<routing::RouteState> Partition::way_out(NodeId at, const Packet& packet,
                                                      std::size_t place) {
  if (!world_.fixed[packet.input_channel].from_host) return std::nullopt;
  const NodeId from = world_.build.graph.host_node(packet.source);
  const NodeId to = world_.build.graph.host_node(packet.destination);
  const routing::Start start = world_.build.routing.start(from, to, world_.ties[index(at)]);
  if (!start.detour) return std::nullopt;
  set_lane(packet);
  world_.build.routing.candidates(at, to, start.state, candidates_);
  const bool waits_for_it = std::any_of(
      candidates_.begin(), candidates_.end(),
      [&](const Candidate& one) { return world_.place(index(one.channel), vc_of(one)) == place; });
  return waits_for_it && is_paused(at, to, start.state) ? start.detour : std::nullopt;
}

// The default rule of the output is off: packets that wait for it, and have not crossed over to its
// output buffer, are looked up again. The others stay in their order.
void Partition::divert_waiting(std::uint32_t which, std::size_t place) {
  VcQueue& queue = world_.queues[place];
  if (world_.fixed[which].from_host || world_.channels[which].leaving) return;
  const NodeId at{world_.source_of(which)};
  PacketIndex next = queue.head;
  PacketIndex diverted = kNone;  // in the order of the queue
  PacketIndex last_diverted = kNone;
  bool crossed = world_.has_output_buffers;
  queue.head = queue.tail = kNone;
  while (next != kNone) {
    const PacketIndex one = next;
    Packet& packet = packets_[one];
    next = packet.next;
    packet.next = kNone;
    if (one == queue.first_outside) {
      crossed = false;
      queue.first_outside = kNone;
    }
    if (const auto detour = crossed ? std::nullopt : way_out(at, packet, place)) {
      packet.route = *detour;
      world_.channels[which].queued_bits -= packet.bits;
      (diverted == kNone ? diverted : packets_[last_diverted].next) = one;
      last_diverted = one;
      continue;
    }
    if (!crossed && world_.has_output_buffers && queue.first_outside == kNone)
      queue.first_outside = one;
    (queue.head == kNone ? queue.head : packets_[queue.tail].next) = one;
    queue.tail = one;
  }
  if (diverted == kNone) return;
  Channel& channel = world_.channels[which];
  if (channel.queued_bits == 0 && channel.holding) end_hold(which);
  if (channel.armed) on_sent(which);
  send_diverted(at, diverted);
}

void Partition::send_diverted(NodeId at, PacketIndex first) {
  for (PacketIndex next = first; next != kNone;) {
    const PacketIndex one = next;
    next = packets_[one].next;
    const Candidate taken = take_step(index(at), packets_[one]);
    enqueue(index(taken.channel), taken.vc, one);
  }
}

}  // namespace ebb::netsim
