// SPDX-License-Identifier: Apache-2.0
// Packets through switches.

#include "partition.hpp"

#include <algorithm>
#include <limits>

namespace ebb::netsim {

using routing::Candidate;
using topology::NodeId;

Duration Partition::transmission_time(std::uint32_t which, std::uint32_t bits) const {
  const std::uint8_t rate_level = net_.channels[which].rate_level;
  const std::uint8_t model = net_.fixed[which].model;
  if (bits == net_.packet_bits)
    return net_.full_packet_time[net_.first_rate_level[model] + rate_level];
  return serialization_time(ebb::bits(bits),
                            net_.config.models[model].rate_levels[rate_level].rate);
}

// The head of a packet has passed the switch and looks for an output.
void Partition::arrive(std::uint32_t node, PacketIndex which) {
  ++packet_hops_;
  Packet& packet = packets_[which];
  if (!net_.work.empty()) count_work(node, packet.last ? 1 : 0, packet.bits);
  if (net_.wormhole) return arrive_flit(node, which);
  if (net_.pauses) enter_input(packet);
  const Candidate taken = route(node, packet);
  enqueue(index(taken.channel), taken.vc, which);
}

// The output that a packet takes, and the virtual channel among those of its lane.
Candidate Partition::route(std::uint32_t node, Packet& packet) {
  set_lane(packet);
  if (!packet.routed) start_route(NodeId{node}, packet);
  return take_step(node, packet);
}

void Partition::set_lane(const Packet& packet) {
  lane_start_ = static_cast<std::uint8_t>(
      net_.lanes.count() == 1 ? 0 : packet.input_vc - packet.input_vc % net_.channels_of_lane);
}

// In the state that the packet has.
Candidate Partition::take_step(std::uint32_t node, Packet& packet) {
  const NodeId at{node};
  net_.config.routing.candidates(at, net_.config.graph.host_node(packet.destination), packet.route,
                                 candidates_);
  const bool fixed =
      candidates_.size() == 1 || net_.config.hardware.output_selection == OutputSelection::first;
  Candidate taken = fixed ? candidates_[0] : select_output(node);
  packet.route = net_.config.routing.advance(at, taken, packet.route);
  taken.vc = static_cast<std::uint8_t>(taken.vc + lane_start_);
  return taken;
}

// Once per packet, at its first switch: only there are the queues that a detour is weighed against.
void Partition::start_route(NodeId at, Packet& packet) {
  const NodeId from = net_.config.graph.host_node(packet.source);
  const NodeId to = net_.config.graph.host_node(packet.destination);
  const routing::Start start = net_.config.routing.start(from, to, net_.ties[index(at)]);
  packet.routed = true;
  packet.route = start.state;
  if (start.non_minimal && prefers_non_minimal(at, to, start)) packet.route = *start.non_minimal;
}

bool Partition::prefers_non_minimal(NodeId at, NodeId to, const routing::Start& start) {
  if (net_.non_minimal_rule == routing::NonMinimalRule::paused)
    return is_paused(at, to, start.state);
  if (net_.non_minimal_rule == routing::NonMinimalRule::congested && is_congested_ahead(at, to))
    return true;
  const auto cost = [&](routing::RouteState state) {
    return shortest_queue(at, to, state) * net_.config.routing.remaining_hops(at, to, state);
  };
  return cost(start.state) > cost(*start.non_minimal);
}

std::int64_t Partition::shortest_queue(NodeId at, NodeId destination, routing::RouteState state) {
  net_.config.routing.candidates(at, destination, state, candidates_);
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const Candidate& one : candidates_) shortest = std::min(shortest, depth(index(one.channel)));
  return shortest;
}

// What a packet that came now would find before it: queued, and on the wire. A channel in a
// low-power state counts for more, so that traffic keeps to those that are up.
std::int64_t Partition::depth(std::uint32_t which) const {
  const Channel& channel = net_.channels[which];
  const std::int64_t depth =
      channel.queued_bits + (channel.wire_end > now_ ? channel.wire_bits : 0);
  const DataSize penalty = net_.config.hardware.low_power_penalty;
  return penalty > DataSize{} && is_in_low_power(which) ? depth + penalty.count() : depth;
}

// Only for packets that have no other way: it is being drained, was so and is changing, or sleeps
// with nothing to wake it.
bool Partition::is_closed(std::uint32_t which) const {
  const Channel& channel = net_.channels[which];
  return channel.draining || (channel.drained && is_changing(which)) ||
         (channel.free_at == kNever && !wakes_by_itself(which));
}

// Asleep or below its full rate; not when it is on the way up, or soon will be.
bool Partition::is_in_low_power(std::uint32_t which) const {
  const Channel& channel = net_.channels[which];
  return (channel.free_at == kNever && !channel.wake_stalled) ||
         channel.rate_level + 1U < net_.model_of(which).rate_levels.size();
}

// The downstream occupancy: credits that are missing beyond those that a sleeping channel may
// defer.
std::int64_t Partition::downstream_occupancy(const Candidate& one) {
  if (net_.config.hardware.output_selection != OutputSelection::credits) return 0;
  const Channel& channel = net_.channels[index(one.channel)];
  VcQueue& queue = this->queue(index(one.channel), vc_of(one));
  queue.credit_bits += credits_.collect(queue.returning, credits_until(channel));
  const std::int64_t buffer = net_.config.hardware.input_buffer.count();
  return std::max<std::int64_t>(0, buffer - buffer / kDeferredCreditShare - queue.credit_bits);
}

// What the channel has sent since the policy last looked, and what waits for it.
std::int64_t Partition::used(std::uint32_t which) const {
  return net_.channels[which].sent_bits - net_.controls[which].sampled_bits +
         net_.channels[which].queued_bits;
}

// Each link of a detour counts as a packet more, or before everything else.
std::int64_t Partition::output_cost(const Candidate& one) {
  constexpr std::int64_t kClosed = std::int64_t{1} << 60U;
  constexpr std::int64_t kLink = std::int64_t{1} << 50U;
  const std::int64_t packet = net_.config.hardware.packet.count();
  std::int64_t closed = is_closed(index(one.channel)) ? kClosed : 0;
  // A virtual channel that another packet has is worth a packet.
  if (net_.wormhole &&
      net_.output_vc_states[net_.place(index(one.channel), vc_of(one))].owner != kNone) {
    closed += packet;
  }
  if (net_.config.hardware.output_selection == OutputSelection::least_used) {
    if (net_.channels[index(one.channel)].free_at == kNever) closed |= kClosed;  // asleep
    return closed + one.extra_hops * kLink + used(index(one.channel));
  }
  return closed + depth(index(one.channel)) + one.extra_hops * packet + downstream_occupancy(one);
}

// The output of the least cost; equal ones by lot.
Candidate Partition::select_output(std::uint32_t node) {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t equal = 0;
  Candidate best;
  for (const Candidate& one : candidates_) {
    const std::int64_t queued = output_cost(one);
    if (queued > shortest) continue;
    equal = queued < shortest ? 1 : equal + 1;
    shortest = queued;
    if (equal == 1 || net_.ties[node].below(equal) == 0) best = one;
  }
  return best;
}

// Sends the packet at once if nothing keeps it (then there is no answer), or says when it might go;
// kNever when that is not known or is already looked after, as behind a packet that waits.
std::optional<TimePoint> Partition::send_or_wait(std::uint32_t which, std::uint8_t vc,
                                                 PacketIndex index) {
  const Channel& channel = net_.channels[which];
  if (channel.free_at > now_) return channel.free_at;
  // The channel has come free at this very moment: who comes just now has no turn before those that
  // wait, or a stream in step with the channel would keep the others out.
  if (channel.free_at == now_ && channel.queued_bits > 0) return now_;
  VcQueue& queue = this->queue(which, vc);
  if (queue.head != kNone) return kNever;
  Packet& packet = packets_[index];
  const TimePoint ready = packet.tail - transmission_time(which, packet.bits);
  if (ready > now_) return ready;
  if (!net_.fixed[which].to_host && !take_credits(channel, queue, packet.bits)) {
    return next_credit(channel, queue);
  }
  if (net_.has_output_buffers) pass_output(queue, packet);
  send(which, vc, index);
  return std::nullopt;
}

void Partition::enqueue(std::uint32_t which, std::uint8_t vc, PacketIndex index) {
  Packet& packet = packets_[index];
  const bool jumps = net_.channels[which].armed && must_jump(which, packet.bits);
  const auto wait = jumps ? std::optional(kNever) : send_or_wait(which, vc, index);
  if (!wait) return;
  VcQueue& queue = this->queue(which, vc);
  packet.next = kNone;
  (queue.head == kNone ? queue.head : packets_[queue.tail].next) = index;
  queue.tail = index;
  Channel& channel = net_.channels[which];
  if (channel.queued_bits == 0 && channel.free_at > channel.wire_end) begin_wake_stall(which, now_);
  channel.queued_bits += packet.bits;
  if (net_.has_output_buffers) enter_output(which, vc, queue, index);
  if (net_.fixed[which].notifies) review_congestion(net_.source_of(which));
  if (net_.channels[which].armed) on_queued(which);
  try_send_at(which, *wait);
}

void Partition::try_send(std::uint32_t which) {
  Channel& channel = net_.channels[which];
  if (net_.fixed[which].from_host) return attempt_host(which);
  if (channel.queued_bits == 0) return;
  if (channel.free_at > now_) return try_send_at(which, channel.free_at);
  TimePoint earliest = kNever;
  if (!send_next(which, earliest)) return try_send_at(which, earliest);
  if (channel.queued_bits > 0) try_send_at(which, channel.free_at);
}

// One packet of the lanes in turn. If none can go: when the first might.
bool Partition::send_next(std::uint32_t which, TimePoint& earliest) {
  if (net_.lanes.count() == 1) return send_next_of(which, 0, earliest);
  for (const std::uint8_t lane : net_.lanes.order(net_.turns[which])) {
    if (send_next_of(which, lane, earliest)) return true;
  }
  return false;
}

// One packet of the virtual channels of a lane in turn.
bool Partition::send_next_of(std::uint32_t which, std::uint32_t lane, TimePoint& earliest) {
  Channel& channel = net_.channels[which];
  const std::uint32_t count = net_.channels_of_lane;
  for (std::uint32_t i = 1; i <= count; ++i) {
    const auto vc = static_cast<std::uint8_t>(lane * count + (channel.last_vc + i) % count);
    VcQueue& queue = this->queue(which, vc);
    const PacketIndex first = queue.head;
    if (first == kNone) continue;
    const Packet& packet = packets_[first];
    const TimePoint ready = packet.tail - transmission_time(which, packet.bits);
    if (ready > now_) {
      earliest = std::min(earliest, ready);
      continue;
    }
    if (!net_.fixed[which].to_host && !take_credits(channel, queue, packet.bits)) {
      earliest = std::min(earliest, next_credit(channel, queue));
      continue;
    }
    queue.head = packet.next;
    channel.queued_bits -= packet.bits;
    if (net_.fixed[which].notifies) review_congestion(net_.source_of(which));
    send(which, vc, first);
    return true;
  }
  return false;
}

void Partition::send(std::uint32_t which, std::uint8_t vc, PacketIndex first) {
  ++transmissions_;
  Channel& channel = net_.channels[which];
  const Packet& packet = packets_[first];
  const Duration time = transmission_time(which, packet.bits);
  channel.wire_end = now_ + time;
  channel.free_at = channel.wire_end;
  channel.busy += time;
  channel.sent_bits += packet.bits;
  channel.wire_bits = packet.bits;
  channel.last_vc = vc;
  if (net_.lanes.count() > 1) {
    const auto lane = static_cast<std::uint8_t>(vc / net_.channels_of_lane);
    net_.lanes.spend(net_.turns[which], lane, packet.bits);
  }
  if (!net_.has_output_buffers) {
    free_input(packet, channel.wire_end, time);
  } else if (!net_.fixed[which].from_host) {
    if (net_.gates_buffers) {
      count_cells(net_.source_of(which), packet.bits, {packet.tail, {}}, {now_, time});
    }
    leave_output(queue(which, vc), packet.bits, channel.wire_end);
  }
  if (channel.wake_stalled) end_wake_stall(which);
  if (channel.armed || channel.draining) on_sent(which);
  const bool releases = net_.wormhole && packet.last && !net_.fixed[which].from_host;
  if (!net_.fixed[which].to_host) {
    forward(which, vc, first);
  } else {
    if (packet.last) deliver(packet, channel.wire_end + net_.fixed[which].latency);
    packets_.give_back(first);
  }
  if (releases) {
    release(net_.source_of(which), static_cast<std::uint32_t>(net_.place(which, vc)));
  }
}

// To the next switch, where the packet occupies the buffer for which credits were taken.
void Partition::forward(std::uint32_t which, std::uint8_t vc, PacketIndex first) {
  const FixedChannel& fixed = net_.fixed[which];
  const Hardware& hardware = net_.config.hardware;
  const Duration passing = fixed.latency + hardware.switch_latency;
  Packet& packet = packets_[first];
  packet.tail = net_.channels[which].wire_end + passing;
  packet.input_channel = which;
  packet.input_vc = vc;
  packet.input_rate_level = net_.channels[which].rate_level & 63U;
  const bool whole = hardware.switching == Switching::store_and_forward;
  const TimePoint at = whole ? packet.tail : now_ + passing;
  if (!fixed.cut) {
    return schedule(net_.source_of(which), fixed.target, at, EventKind::arrival, which, first);
  }
  enqueue(fixed.target, at).packets.push_back({at, which, packet});
  packets_.give_back(first);
}

// Hosts take whatever arrives, and put it into memory one packet after the other.
void Partition::deliver(const Packet& packet, TimePoint arrived) {
  const DataSize size =
      ebb::bits((packet.flits - 1) * std::int64_t{net_.packet_bits} + packet.bits);
  const NicHardware& nic = net_.config.hardware.nic;
  TimePoint at = arrived;
  if (nic.takes_time()) {
    TimePoint& stored = net_.nics[packet.destination].stored;
    at = stored = std::max(stored, arrived) + nic.dma_time(size);
  }
  if (!net_.work.empty()) {
    count_work(index(net_.config.graph.host_node(packet.destination)), 1, size.count());
  }
  observer_.packet_delivered(
      {packet.source, packet.destination, packet.message, size, packet.sent, at});
  if (packet.message_packets > 1) {
    const std::uint64_t key = std::uint64_t{packet.source} << 32U | packet.message;
    const auto entry = arriving_.try_emplace(key, packet.message_packets).first;
    if (--entry->second > 0) return;
    arriving_.erase(entry);
  }
  // One channel leads to a host, so the packet that was sent last is the last to arrive.
  observer_.message_delivered(
      {packet.source, packet.destination, packet.message, packet.created, at});
}

// Wormhole switching.

// A flit has passed the switch. It follows its packet, or waits behind others in the input buffer.
void Partition::arrive_flit(std::uint32_t node, PacketIndex which) {
  const std::size_t place = net_.place(packets_[which].input_channel, packets_[which].input_vc);
  InputVcState& input = net_.input_vc_states[place];
  packets_[which].next = kNone;
  (input.head == kNone ? input.head : packets_[input.tail].next) = which;
  input.tail = which;
  if (input.output != kNone) return pass_flits(input);
  if (input.requested == kNone) route_worm(node, static_cast<std::uint32_t>(place));
}

// The head of a packet is in front of the input buffer: it asks for an output.
void Partition::route_worm(std::uint32_t node, std::uint32_t place) {
  InputVcState& input = net_.input_vc_states[place];
  const routing::Candidate taken = route(node, packets_[input.head]);
  input.requested = static_cast<std::uint32_t>(net_.place(index(taken.channel), taken.vc));
  OutputVcState& output = net_.output_vc_states[input.requested];
  if (output.owner == kNone) return grant(input.requested, place);
  (output.first_requester == kNone ? output.first_requester
                                   : net_.input_vc_states[output.last_requester].next_requester) =
      place;
  output.last_requester = place;
}

void Partition::grant(std::uint32_t output, std::uint32_t place) {
  net_.output_vc_states[output].owner = place;
  InputVcState& input = net_.input_vc_states[place];
  input.output = output;
  input.requested = input.next_requester = kNone;
  input.passed = false;
  pass_flits(input);
}

// What there is of the packet in front goes to the queue of its output.
void Partition::pass_flits(InputVcState& input) {
  const std::uint32_t channel = input.output / net_.virtual_channels;
  const auto vc = static_cast<std::uint8_t>(input.output % net_.virtual_channels);
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
  OutputVcState& output = net_.output_vc_states[place];
  const std::uint32_t served = output.owner;
  const std::uint32_t next = output.first_requester;
  output.owner = kNone;
  net_.input_vc_states[served].output = kNone;
  if (next != kNone) {
    output.first_requester = net_.input_vc_states[next].next_requester;
    grant(place, next);
  }
  if (net_.input_vc_states[served].head != kNone) route_worm(node, served);
}

}  // namespace ebb::netsim
