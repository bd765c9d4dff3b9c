// SPDX-License-Identifier: Apache-2.0
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
  const std::size_t place = net_.place(packet.input_channel, packet.input_vc);
  PauseInput& input = net_.pause_inputs[place];
  input.occupied_bits += static_cast<std::int32_t>(packet.bits);
  input.occupied_bits -= credits_.collect(input.leaving, now_);
  EBB_CHECK(input.occupied_bits <= net_.config.hardware.input_buffer.count(),
            "a packet is lost: the headroom of an input buffer was too small");
  if (input.pausing || input.occupied_bits < net_.pause_channels[packet.input_channel].xoff_bits)
    return;
  input.pausing = true;
  tell_pause(place, true);
  look_at(place, credits_.earliest(input.leaving, kNever));
}

// Its space becomes free at `at`.
void Partition::leave_input(const Packet& packet, TimePoint at) {
  const std::size_t place = net_.place(packet.input_channel, packet.input_vc);
  PauseInput& input = net_.pause_inputs[place];
  credits_.push(input.leaving, at, packet.bits);
  if (input.pausing) look_at(place, at);
}

// An earlier look that is already on the way finds what to do next by itself.
void Partition::look_at(std::size_t place, TimePoint at) {
  PauseInput& input = net_.pause_inputs[place];
  if (at >= input.next_look) return;
  input.next_look = at;
  const std::uint32_t node = net_.fixed[net_.channel_of(place)].target;
  const auto which = static_cast<std::uint32_t>(place);
  schedule(node, node, at, EventKind::look, which, which);
}

void Partition::look(std::uint32_t place) {
  PauseInput& input = net_.pause_inputs[place];
  if (input.next_look != now_) return;
  input.next_look = kNever;
  input.occupied_bits -= credits_.collect(input.leaving, now_);
  if (!input.pausing) return;
  if (input.occupied_bits > net_.pause_channels[net_.channel_of(place)].xon_bits)
    return look_at(place, credits_.earliest(input.leaving, kNever));
  input.pausing = false;
  tell_pause(place, false);
}

// The lowest bit of the message is 0 for a pause, so that of two messages that come at one moment
// the pause is first: see hear_pause.
void Partition::tell_pause(std::size_t place, bool pause) {
  const std::uint32_t which = net_.channel_of(place);
  const auto message = static_cast<std::uint32_t>(place << 1U | (pause ? 0U : 1U));
  send({now_ + net_.pause_channels[which].delay, net_.fixed[which].target, net_.source_of(which),
        message},
       EventKind::pause);
}

// Pauses are counted: one that is to be lifted at this moment may be heard of after the next began.
void Partition::hear_pause(std::uint32_t message) {
  const std::size_t place = message >> 1U;
  const std::uint32_t which = net_.channel_of(place);
  VcQueue& queue = net_.queues[place];
  if ((message & 1U) == 0) {
    ++queue.pauses;
    if (net_.non_minimal_rule == routing::NonMinimalRule::paused) divert_waiting(which, place);
    return;
  }
  if (--queue.pauses == 0) try_send(which);
}

// Paused, or with as much waiting for it here as would make a switch pause its sender: nobody else
// tells a switch of its own full queue, and packets that have another output would starve in it.
bool Partition::is_shut(const Candidate& one) {
  const std::uint32_t which = index(one.channel);
  if (queue(which, vc_of(one)).pauses > 0) return true;
  return net_.pauses && net_.channels[which].queued_bits >= net_.pause_channels[which].xoff_bits;
}

bool Partition::is_paused(NodeId at, NodeId destination, routing::RouteState state) {
  net_.config.routing.candidates(at, destination, state, candidates_);
  return std::all_of(candidates_.begin(), candidates_.end(),
                     [&](const Candidate& one) { return is_shut(one); });
}

// The detour of a packet that waits at its first switch for the paused output, if it has one.
std::optional<routing::RouteState> Partition::way_out(NodeId at, const Packet& packet,
                                                      std::size_t place) {
  if (!net_.fixed[packet.input_channel].from_host) return std::nullopt;
  const NodeId from = net_.config.graph.host_node(packet.source);
  const NodeId to = net_.config.graph.host_node(packet.destination);
  const routing::Start start = net_.config.routing.start(from, to, net_.ties[index(at)]);
  if (!start.non_minimal) return std::nullopt;
  set_lane(packet);
  net_.config.routing.candidates(at, to, start.state, candidates_);
  const bool waits_for_it = std::any_of(
      candidates_.begin(), candidates_.end(),
      [&](const Candidate& one) { return net_.place(index(one.channel), vc_of(one)) == place; });
  return waits_for_it && is_paused(at, to, start.state) ? start.non_minimal : std::nullopt;
}

// The default rule of the output is off: packets that wait for it, and have not crossed over to its
// output buffer, are looked up again. The others stay in their order.
void Partition::divert_waiting(std::uint32_t which, std::size_t place) {
  VcQueue& queue = net_.queues[place];
  if (net_.fixed[which].from_host || net_.channels[which].draining) return;
  const NodeId at{net_.source_of(which)};
  PacketIndex next = queue.head;
  PacketIndex diverted = kNone;  // in the order of the queue
  PacketIndex last_diverted = kNone;
  bool crossed = net_.has_output_buffers;
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
      net_.channels[which].queued_bits -= packet.bits;
      (diverted == kNone ? diverted : packets_[last_diverted].next) = one;
      last_diverted = one;
      continue;
    }
    if (!crossed && net_.has_output_buffers && queue.first_outside == kNone)
      queue.first_outside = one;
    (queue.head == kNone ? queue.head : packets_[queue.tail].next) = one;
    queue.tail = one;
  }
  if (diverted == kNone) return;
  Channel& channel = net_.channels[which];
  if (channel.queued_bits == 0 && channel.wake_stalled) end_wake_stall(which);
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

// Congestion notifications among the switches of a group (routing.hpp). A switch notifies the
// others when the state of a channel changes, and they receive it a link's latency later. A
// notification says only "changed", so those of one moment may come in any order.

using topology::ChannelId;
using topology::NodeId;

// A channel is congested when more waits for it than twice the mean of its switch's channels and a
// packet.
void Partition::review_congestion(std::uint32_t node) {
  const auto channels = net_.config.routing.notification_channels(NodeId{node});
  const auto count = static_cast<std::int64_t>(channels.size());
  std::int64_t all = net_.config.hardware.packet.count() * count;
  for (const ChannelId one : channels) all += 2 * net_.channels[index(one)].queued_bits;
  const routing::NotificationGroup group = net_.config.routing.notification_group(NodeId{node});
  std::uint32_t number = (node - index(group.first)) * group.channels_each;
  for (const ChannelId one : channels) {
    const bool congested = net_.channels[index(one)].queued_bits * count > all;
    std::uint8_t& known = net_.congested[net_.notification_place(node, number)];
    if ((known != 0) != congested) {
      known ^= 1U;
      send_notification(node, group, number);
    }
    ++number;
  }
}

void Partition::send_notification(std::uint32_t node, const routing::NotificationGroup& group,
                                  std::uint32_t number) {
  for (const ChannelId link : net_.config.graph.outputs(NodeId{node})) {
    const FixedChannel& fixed = net_.fixed[index(link)];
    if (fixed.target - index(group.first) >= group.switches) continue;
    const auto place = static_cast<std::uint32_t>(net_.notification_place(fixed.target, number));
    send({now_ + fixed.latency, node, fixed.target, place}, EventKind::congestion_notification);
  }
}

void Partition::receive_notification(std::uint32_t place) { net_.congested[place] ^= 1U; }

// What the switch was notified of the channel that a packet's minimal path depends on.
bool Partition::is_congested_ahead(NodeId at, NodeId destination) const {
  const auto number = net_.config.routing.minimal_path_notification(at, destination);
  return number && net_.congested[net_.notification_place(index(at), *number)] != 0;
}

}  // namespace ebb::netsim
