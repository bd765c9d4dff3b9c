// SPDX-License-Identifier: Apache-2.0
//
// Packets through switches.
#include "ebb/netsim/network.hpp"

#include "ebb/core/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace ebb::netsim {

using routing::Candidate;
using topology::NodeId;

void Network::run_until(TimePoint end) {
  EBB_CHECK(end >= now_, "time goes forward");
  simulation_.run_until(end, [this](const Event& event) { handle(event); });
  now_ = end;
}

void Network::run_dry() {
  simulation_.run([this](const Event& event) { handle(event); });
}

// Most of a run's time is waiting for memory: what soon-to-come events need is fetched ahead, the
// channel or packet first and, nearer, the packet at the head of the channel's queue.
void Network::prefetch() const {
  constexpr std::size_t kFar = 5;
  constexpr std::size_t kNear = 2;
  if (const Payload* far = simulation_.upcoming(kFar)) {
    if (far->what() == What::arrival) {
      __builtin_prefetch(&packets_[far->which()]);
    } else {
      __builtin_prefetch(&channels_[far->which()]);
      __builtin_prefetch(&queues_[far->which() * virtual_channels_]);
    }
  }
  if (const Payload* near = simulation_.upcoming(kNear); near && near->what() == What::attempt) {
    for (std::uint32_t vc = 0; vc < virtual_channels_; ++vc) {
      const PacketIndex head = queues_[near->which() * virtual_channels_ + vc].head;
      if (head != kNone) __builtin_prefetch(&packets_[head]);
    }
  }
}

void Network::handle(const Event& event) {
  prefetch();
  now_ = event.at;
  const std::uint32_t which = event.payload.which();
  switch (event.payload.what()) {
    case What::arrival:
      return arrive(index(event.receiver), which);
    case What::attempt:
      // An attempt that was put forward leaves its later event behind.
      if (channels_[which].next_attempt != now_) return;
      channels_[which].next_attempt = kNever;
      return attempt(which);
    case What::idle_check:
      return idle_check(which);
    case What::credits_lit:
      darken(which, -1);
      return attempt(which);
    case What::credits_dark:
      return darken(which, +1);
  }
}

// A change that begins when another ends can be heard of before it: so they are counted.
void Network::darken(std::uint32_t which, int by) {
  ChannelControl& control = controls_[which];
  control.darkness = static_cast<std::int8_t>(control.darkness + by);
  channels_[which].credits_dark = control.darkness > 0;
  if (by > 0) control.dark_from = now_;
}

// Events of one moment are ordered by what they are and which channel they concern, not by when
// they were scheduled: that would depend on how the nodes are spread over threads.
void Network::schedule(std::uint32_t sender, std::uint32_t receiver, TimePoint at, What what,
                       std::uint32_t channel, std::uint32_t which) {
  constexpr int kChannelBits = 27;
  const std::uint32_t order = static_cast<std::uint32_t>(what) << kChannelBits | channel;
  simulation_.schedule(des::EntityId{sender}, des::EntityId{receiver}, at, order, {what, which});
}

// For the node that sends on the channel.
void Network::schedule_own(std::uint32_t channel, TimePoint at, What what) {
  const std::uint32_t node = source_of(channel);
  schedule(node, node, at, what, channel, channel);
}

Duration Network::transmission_time(const Channel& channel, std::uint32_t bits) const {
  if (bits == packet_bits_) return full_packet_time_[first_step_[channel.model] + channel.step];
  const auto& step = build_.models[channel.model].steps[channel.step];
  return serialization_time(ebb::bits(bits), step.rate);
}

// The head of a packet has passed the switch and looks for an output.
void Network::arrive(std::uint32_t node, PacketIndex which) {
  ++packet_hops_;
  Packet& packet = packets_[which];
  const NodeId at{node};
  if (!packet.routed) start_route(at, packet);
  build_.routing.candidates(at, build_.graph.host_node(packet.destination), packet.route,
                            candidates_);
  const Candidate taken = candidates_.size() == 1 ? candidates_[0] : choose(node);
  packet.route = build_.routing.advance(at, taken, packet.route);
  enqueue(index(taken.channel), taken.vc, which);
}

// Once per packet, at its first switch: only there are the queues that a detour is weighed against.
void Network::start_route(NodeId at, Packet& packet) {
  const NodeId from = build_.graph.host_node(packet.source);
  const NodeId to = build_.graph.host_node(packet.destination);
  const routing::Start start = build_.routing.start(from, to, ties_[index(at)]);
  packet.routed = true;
  packet.route = start.state;
  if (!start.detour) return;
  const auto cost = [&](routing::RouteState state) {
    return shortest_queue(at, to, state) * build_.routing.links_ahead(at, to, state);
  };
  if (cost(start.state) > cost(*start.detour)) packet.route = *start.detour;
}

std::int64_t Network::shortest_queue(NodeId at, NodeId destination, routing::RouteState state) {
  build_.routing.candidates(at, destination, state, candidates_);
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const Candidate& one : candidates_)
    shortest = std::min(shortest, depth(channels_[index(one.channel)]));
  return shortest;
}

// What a packet that came now would find before it: queued, and on the wire.
std::int64_t Network::depth(const Channel& channel) const {
  return channel.queued_bits + (channel.wire_end > now_ ? channel.wire_bits : 0);
}

// The shortest queue; equal ones by lot.
Candidate Network::choose(std::uint32_t node) {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  std::uint64_t equal = 0;
  Candidate best;
  for (const Candidate& one : candidates_) {
    const std::int64_t queued = depth(channels_[index(one.channel)]);
    if (queued > shortest) continue;
    equal = queued < shortest ? 1 : equal + 1;
    shortest = queued;
    if (equal == 1 || ties_[node].below(equal) == 0) best = one;
  }
  return best;
}

// Sends the packet at once if nothing keeps it, or says when it might go; kNever when that is not
// known or is already looked after, as behind a packet that waits.
TimePoint Network::send_or_wait(std::uint32_t which, std::uint8_t vc, PacketIndex index) {
  Channel& channel = channels_[which];
  if (channel.free_at > now_) return channel.free_at;
  VcQueue& queue = this->queue(which, vc);
  if (queue.head != kNone) return kNever;
  const Packet& packet = packets_[index];
  const TimePoint ready = packet.tail - transmission_time(channel, packet.bits);
  if (ready > now_) return ready;
  if (!channel.to_host && !take_credits(which, queue, packet.bits)) {
    return next_credit(which, queue);
  }
  if (has_output_buffers_) pass_output(queue, packet);
  send(which, vc, index);
  return now_;
}

void Network::enqueue(std::uint32_t which, std::uint8_t vc, PacketIndex index) {
  const TimePoint wait = send_or_wait(which, vc, index);
  if (wait == now_) return;
  Packet& packet = packets_[index];
  VcQueue& queue = this->queue(which, vc);
  packet.next = kNone;
  (queue.head == kNone ? queue.head : packets_[queue.tail].next) = index;
  queue.tail = index;
  channels_[which].queued_bits += packet.bits;
  if (has_output_buffers_) enter_output(which, vc, queue, index);
  if (channels_[which].armed) on_queued(which);
  attempt_at(which, wait);
}

// An earlier attempt that is already on the way finds what to do next by itself.
void Network::attempt_at(std::uint32_t which, TimePoint at) {
  Channel& channel = channels_[which];
  if (at >= channel.next_attempt) return;
  channel.next_attempt = at;
  schedule_own(which, at, What::attempt);
}

void Network::attempt(std::uint32_t which) {
  Channel& channel = channels_[which];
  if (channel.from_host) return attempt_host(which);
  if (channel.queued_bits == 0) return;
  if (channel.free_at > now_) return attempt_at(which, channel.free_at);
  TimePoint earliest = kNever;
  if (!send_next(which, earliest)) return attempt_at(which, earliest);
  if (channel.queued_bits > 0) attempt_at(which, channel.free_at);
}

// One packet of the virtual channels in turn. If none can go: when the first might.
bool Network::send_next(std::uint32_t which, TimePoint& earliest) {
  Channel& channel = channels_[which];
  for (std::uint32_t i = 1; i <= virtual_channels_; ++i) {
    const auto vc = static_cast<std::uint8_t>((channel.last_vc + i) % virtual_channels_);
    VcQueue& queue = this->queue(which, vc);
    const PacketIndex first = queue.head;
    if (first == kNone) continue;
    const Packet& packet = packets_[first];
    const TimePoint ready = packet.tail - transmission_time(channel, packet.bits);
    if (ready > now_) {
      earliest = std::min(earliest, ready);
      continue;
    }
    if (!channel.to_host && !take_credits(which, queue, packet.bits)) {
      earliest = std::min(earliest, next_credit(which, queue));
      continue;
    }
    queue.head = packet.next;
    channel.queued_bits -= packet.bits;
    send(which, vc, first);
    return true;
  }
  return false;
}

void Network::send(std::uint32_t which, std::uint8_t vc, PacketIndex first) {
  ++transmissions_;
  Channel& channel = channels_[which];
  const Packet& packet = packets_[first];
  const Duration time = transmission_time(channel, packet.bits);
  channel.wire_end = now_ + time;
  channel.free_at = channel.wire_end;
  channel.busy += time;
  channel.sent_bits += packet.bits;
  channel.wire_bits = packet.bits;
  channel.last_vc = vc;
  if (!has_output_buffers_) {
    free_input(packet, channel.wire_end);
  } else if (!channel.from_host) {
    leave_output(queue(which, vc), packet.bits, channel.wire_end);
  }
  if (channel.armed) on_sent(which);
  if (!channel.to_host) return forward(which, vc, first);
  deliver(packet, channel.wire_end + Duration(channel.latency_ps));
  packets_.give_back(first);
}

// To the next switch, where the packet occupies the buffer for which credits were taken.
void Network::forward(std::uint32_t which, std::uint8_t vc, PacketIndex first) {
  const Channel& channel = channels_[which];
  Packet& packet = packets_[first];
  const Duration passing = Duration(channel.latency_ps) + build_.hardware.switch_latency;
  packet.tail = channel.wire_end + passing;
  packet.input_channel = which;
  packet.input_vc = vc;
  const bool whole = build_.hardware.switching == Switching::store_and_forward;
  schedule(source_of(which), channel.target, whole ? packet.tail : now_ + passing, What::arrival,
           which, first);
}

// Hosts take whatever arrives.
void Network::deliver(const Packet& packet, TimePoint at) {
  observer_.packet_delivered(
      {packet.source, packet.destination, packet.message, ebb::bits(packet.bits), packet.sent, at});
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
