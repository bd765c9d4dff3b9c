// SPDX-License-Identifier: Apache-2.0
//
// Packets through switches.
#include "partition.hpp"

#include <algorithm>
#include <limits>

namespace ebb::netsim {

using routing::Candidate;
using topology::NodeId;

Duration Partition::transmission_time(std::uint32_t which, std::uint32_t bits) const {
  const std::uint8_t step = world_.channels[which].step;
  const std::uint8_t model = world_.fixed[which].model;
  if (bits == world_.packet_bits) return world_.full_packet_time[world_.first_step[model] + step];
  return serialization_time(ebb::bits(bits), world_.build.models[model].steps[step].rate);
}

// The head of a packet has passed the switch and looks for an output.
void Partition::arrive(std::uint32_t node, PacketIndex which) {
  ++packet_hops_;
  Packet& packet = packets_[which];
  if (!world_.work.empty()) count_work(node, packet.last ? 1 : 0, packet.bits);
  if (world_.wormhole) return arrive_flit(node, which);
  if (world_.pauses) enter_input(packet);
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
      world_.lanes.count() == 1 ? 0 : packet.input_vc - packet.input_vc % world_.channels_of_lane);
}

// In the state that the packet has.
Candidate Partition::take_step(std::uint32_t node, Packet& packet) {
  const NodeId at{node};
  world_.build.routing.candidates(at, world_.build.graph.host_node(packet.destination),
                                  packet.route, candidates_);
  const bool fixed = candidates_.size() == 1 || world_.build.hardware.choice == Choice::first;
  Candidate taken = fixed ? candidates_[0] : choose(node);
  packet.route = world_.build.routing.advance(at, taken, packet.route);
  taken.vc = static_cast<std::uint8_t>(taken.vc + lane_start_);
  return taken;
}

// Once per packet, at its first switch: only there are the queues that a detour is weighed against.
void Partition::start_route(NodeId at, Packet& packet) {
  const NodeId from = world_.build.graph.host_node(packet.source);
  const NodeId to = world_.build.graph.host_node(packet.destination);
  const routing::Start start = world_.build.routing.start(from, to, world_.ties[index(at)]);
  packet.routed = true;
  packet.route = start.state;
  if (start.detour && prefers_detour(at, to, start)) packet.route = *start.detour;
}

bool Partition::prefers_detour(NodeId at, NodeId to, const routing::Start& start) {
  if (world_.detour_rule == routing::DetourRule::paused) return is_paused(at, to, start.state);
  if (world_.detour_rule == routing::DetourRule::congested && is_congested_ahead(at, to))
    return true;
  const auto cost = [&](routing::RouteState state) {
    return shortest_queue(at, to, state) * world_.build.routing.links_ahead(at, to, state);
  };
  return cost(start.state) > cost(*start.detour);
}

std::int64_t Partition::shortest_queue(NodeId at, NodeId destination, routing::RouteState state) {
  world_.build.routing.candidates(at, destination, state, candidates_);
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const Candidate& one : candidates_) shortest = std::min(shortest, depth(index(one.channel)));
  return shortest;
}

// What a packet that came now would find before it: queued, and on the wire. A channel that rests
// counts for more, so that traffic keeps to those that are up.
std::int64_t Partition::depth(std::uint32_t which) const {
  const Channel& channel = world_.channels[which];
  const std::int64_t depth =
      channel.queued_bits + (channel.wire_end > now_ ? channel.wire_bits : 0);
  const DataSize rest = world_.build.hardware.rest_counts_as;
  return rest > DataSize{} && is_resting(which) ? depth + rest.count() : depth;
}

// Only for packets that have no other way: it is being drained, was so and is changing, or sleeps
// with nothing to wake it.
bool Partition::is_closed(std::uint32_t which) const {
  const Channel& channel = world_.channels[which];
  return channel.leaving || (channel.drained && is_changing(which)) ||
         (channel.free_at == kNever && !wakes_by_itself(which));
}

// Asleep or below its full rate; not when it is on the way up, or soon will be.
bool Partition::is_resting(std::uint32_t which) const {
  const Channel& channel = world_.channels[which];
  return (channel.free_at == kNever && !channel.holding) ||
         channel.step + 1U < world_.model_of(which).steps.size();
}

// What has piled up at the far end: credits that are missing beyond those that a sleeping channel
// may withhold.
std::int64_t Partition::piled_up(const Candidate& one) {
  if (world_.build.hardware.choice != Choice::credits) return 0;
  const Channel& channel = world_.channels[index(one.channel)];
  VcQueue& queue = this->queue(index(one.channel), vc_of(one));
  queue.credit_bits += credits_.collect(queue.returning, credits_until(channel));
  const std::int64_t buffer = world_.build.hardware.input_buffer.count();
  return std::max<std::int64_t>(0, buffer - buffer / kWithheldShare - queue.credit_bits);
}

// What the channel has sent since the policy last looked, and what waits for it.
std::int64_t Partition::used(std::uint32_t which) const {
  return world_.channels[which].sent_bits - world_.controls[which].sampled_bits +
         world_.channels[which].queued_bits;
}

// Each link of a detour counts as a packet more, or before everything else.
std::int64_t Partition::cost_of(const Candidate& one) {
  constexpr std::int64_t kClosed = std::int64_t{1} << 60U;
  constexpr std::int64_t kLink = std::int64_t{1} << 50U;
  const std::int64_t packet = world_.build.hardware.packet.count();
  std::int64_t closed = is_closed(index(one.channel)) ? kClosed : 0;
  // A virtual channel that another worm has is worth a packet.
  if (world_.wormhole &&
      world_.worm_outputs[world_.place(index(one.channel), vc_of(one))].owner != kNone) {
    closed += packet;
  }
  if (world_.build.hardware.choice == Choice::least_used) {
    if (world_.channels[index(one.channel)].free_at == kNever) closed |= kClosed;  // asleep
    return closed + one.detour * kLink + used(index(one.channel));
  }
  return closed + depth(index(one.channel)) + one.detour * packet + piled_up(one);
}

// The output of the least cost; equal ones by lot.
Candidate Partition::choose(std::uint32_t node) {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t equal = 0;
  Candidate best;
  for (const Candidate& one : candidates_) {
    const std::int64_t queued = cost_of(one);
    if (queued > shortest) continue;
    equal = queued < shortest ? 1 : equal + 1;
    shortest = queued;
    if (equal == 1 || world_.ties[node].below(equal) == 0) best = one;
  }
  return best;
}

// Sends the packet at once if nothing keeps it (then there is no answer), or says when it might go;
// kNever when that is not known or is already looked after, as behind a packet that waits.
std::optional<TimePoint> Partition::send_or_wait(std::uint32_t which, std::uint8_t vc,
                                                 PacketIndex index) {
  const Channel& channel = world_.channels[which];
  if (channel.free_at > now_) return channel.free_at;
  // The channel has come free at this very moment: who comes just now has no turn before those that
  // wait, or a stream in step with the channel would keep the others out.
  if (channel.free_at == now_ && channel.queued_bits > 0) return now_;
  VcQueue& queue = this->queue(which, vc);
  if (queue.head != kNone) return kNever;
  Packet& packet = packets_[index];
  const TimePoint ready = packet.tail - transmission_time(which, packet.bits);
  if (ready > now_) return ready;
  if (!world_.fixed[which].to_host && !take_credits(channel, queue, packet.bits)) {
    return next_credit(channel, queue);
  }
  if (world_.has_output_buffers) pass_output(queue, packet);
  send(which, vc, index);
  return std::nullopt;
}

void Partition::enqueue(std::uint32_t which, std::uint8_t vc, PacketIndex index) {
  Packet& packet = packets_[index];
  const bool jumps = world_.channels[which].armed && must_jump(which, packet.bits);
  const auto wait = jumps ? std::optional(kNever) : send_or_wait(which, vc, index);
  if (!wait) return;
  VcQueue& queue = this->queue(which, vc);
  packet.next = kNone;
  (queue.head == kNone ? queue.head : packets_[queue.tail].next) = index;
  queue.tail = index;
  Channel& channel = world_.channels[which];
  if (channel.queued_bits == 0 && channel.free_at > channel.wire_end) hold(which, now_);
  channel.queued_bits += packet.bits;
  if (world_.has_output_buffers) enter_output(which, vc, queue, index);
  if (world_.fixed[which].news) review_news(world_.source_of(which));
  if (world_.channels[which].armed) on_queued(which);
  attempt_at(which, *wait);
}

void Partition::attempt(std::uint32_t which) {
  Channel& channel = world_.channels[which];
  if (world_.fixed[which].from_host) return attempt_host(which);
  if (channel.queued_bits == 0) return;
  if (channel.free_at > now_) return attempt_at(which, channel.free_at);
  TimePoint earliest = kNever;
  if (!send_next(which, earliest)) return attempt_at(which, earliest);
  if (channel.queued_bits > 0) attempt_at(which, channel.free_at);
}

// One packet of the lanes in turn. If none can go: when the first might.
bool Partition::send_next(std::uint32_t which, TimePoint& earliest) {
  if (world_.lanes.count() == 1) return send_next_of(which, 0, earliest);
  for (const std::uint8_t lane : world_.lanes.order(world_.turns[which])) {
    if (send_next_of(which, lane, earliest)) return true;
  }
  return false;
}

// One packet of the virtual channels of a lane in turn.
bool Partition::send_next_of(std::uint32_t which, std::uint32_t lane, TimePoint& earliest) {
  Channel& channel = world_.channels[which];
  const std::uint32_t count = world_.channels_of_lane;
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
    if (!world_.fixed[which].to_host && !take_credits(channel, queue, packet.bits)) {
      earliest = std::min(earliest, next_credit(channel, queue));
      continue;
    }
    queue.head = packet.next;
    channel.queued_bits -= packet.bits;
    if (world_.fixed[which].news) review_news(world_.source_of(which));
    send(which, vc, first);
    return true;
  }
  return false;
}

void Partition::send(std::uint32_t which, std::uint8_t vc, PacketIndex first) {
  ++transmissions_;
  Channel& channel = world_.channels[which];
  const Packet& packet = packets_[first];
  const Duration time = transmission_time(which, packet.bits);
  channel.wire_end = now_ + time;
  channel.free_at = channel.wire_end;
  channel.busy += time;
  channel.sent_bits += packet.bits;
  channel.wire_bits = packet.bits;
  channel.last_vc = vc;
  if (world_.lanes.count() > 1) {
    const auto lane = static_cast<std::uint8_t>(vc / world_.channels_of_lane);
    world_.lanes.spend(world_.turns[which], lane, packet.bits);
  }
  if (!world_.has_output_buffers) {
    free_input(packet, channel.wire_end, time);
  } else if (!world_.fixed[which].from_host) {
    if (world_.gates_buffers) {
      count_cells(world_.source_of(which), packet.bits, {packet.tail, {}}, {now_, time});
    }
    leave_output(queue(which, vc), packet.bits, channel.wire_end);
  }
  if (channel.holding) end_hold(which);
  if (channel.armed || channel.leaving) on_sent(which);
  const bool releases = world_.wormhole && packet.last && !world_.fixed[which].from_host;
  if (!world_.fixed[which].to_host) {
    forward(which, vc, first);
  } else {
    if (packet.last) deliver(packet, channel.wire_end + world_.fixed[which].latency);
    packets_.give_back(first);
  }
  if (releases) {
    release(world_.source_of(which), static_cast<std::uint32_t>(world_.place(which, vc)));
  }
}

// To the next switch, where the packet occupies the buffer for which credits were taken.
void Partition::forward(std::uint32_t which, std::uint8_t vc, PacketIndex first) {
  const FixedChannel& fixed = world_.fixed[which];
  const Hardware& hardware = world_.build.hardware;
  const Duration passing = fixed.latency + hardware.switch_latency;
  Packet& packet = packets_[first];
  packet.tail = world_.channels[which].wire_end + passing;
  packet.input_channel = which;
  packet.input_vc = vc;
  packet.input_step = world_.channels[which].step & 63U;
  const bool whole = hardware.switching == Switching::store_and_forward;
  const TimePoint at = whole ? packet.tail : now_ + passing;
  if (!fixed.cut) {
    return schedule(world_.source_of(which), fixed.target, at, What::arrival, which, first);
  }
  post(fixed.target, at).packets.push_back({at, which, packet});
  packets_.give_back(first);
}

// Hosts take whatever arrives, and put it into memory one packet after the other.
void Partition::deliver(const Packet& packet, TimePoint arrived) {
  const DataSize size =
      ebb::bits((packet.flits - 1) * std::int64_t{world_.packet_bits} + packet.bits);
  const NicHardware& nic = world_.build.hardware.nic;
  TimePoint at = arrived;
  if (nic.takes_time()) {
    TimePoint& stored = world_.nics[packet.destination].stored;
    at = stored = std::max(stored, arrived) + nic.dma_time(size);
  }
  if (!world_.work.empty()) {
    count_work(index(world_.build.graph.host_node(packet.destination)), 1, size.count());
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
  observer_.message_delivered({packet.source, packet.destination, packet.message, packet.born, at});
}

}  // namespace ebb::netsim
