// SPDX-License-Identifier: Apache-2.0
//
// What the events of a network are, their order, and what memory they will want.
//
// Events of one moment are ordered by what they are and what they concern, not by when they were
// scheduled: that would depend on how the nodes are spread over partitions.
#pragma once

#include "network_state.hpp"
#include "packet.hpp"

#include "ebb/core/large_vector.hpp"
#include "ebb/des/event.hpp"
#include "ebb/routing/routing.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace ebb::netsim {

// In the order in which they happen when they fall on one moment: a trigger acts before the next
// packet, credits come back before they stay away again.
enum class EventKind : std::uint32_t {
  arrival,  // of a packet; all others up to `pause` concern a channel
  check,
  ramp_end,
  try_send,
  credit_return_unblocked,
  credit_return_blocked,
  // These concern virtual channels or notifications.
  pause,
  look,
  congestion_notification,
  // At flow fidelity: a message is in the network card, the head of a flow at a channel, a buffer
  // full or empty, a message at its host.
  flow_start,
  flow_head,
  flow_look,
  flow_delivered
};

// What an event is, and what it concerns: 4 bytes, so that an event has 16.
class EventPayload {
 public:
  EventPayload() = default;
  EventPayload(EventKind what, std::uint32_t which)
      : bits_(static_cast<std::uint32_t>(what) << kShift | which) {}

  [[nodiscard]] EventKind what() const { return EventKind{bits_ >> kShift}; }
  [[nodiscard]] std::uint32_t which() const { return bits_ & ((1U << kShift) - 1); }

  // By kind, then by number.
  auto operator<=>(const EventPayload&) const = default;

 private:
  static constexpr int kShift = 28;
  std::uint32_t bits_ = 0;
};
static_assert(sizeof(des::Event<EventPayload>) == 16);

// The order of events that reach a node at one moment: by the node that sent them, then by what
// they are and what they concern. And what memory they will want.
class EventOrder {
 public:
  using Event = des::Event<EventPayload>;

  EventOrder(const NetworkState& net, const PacketPool& packets)
      : net_(&net),
        packets_(&packets),
        fetches_outputs_(net.channels.memory_bytes() >= kLargerThanCaches) {}

  [[nodiscard]] bool before(const Event& a, const Event& b) const {
    if (is_own(a) && is_own(b)) return a.payload < b.payload;
    const NodeId sender_a = sender(a);
    const NodeId sender_b = sender(b);
    if (sender_a != sender_b) return sender_a < sender_b;
    if (a.payload.what() != EventKind::arrival || b.payload.what() != EventKind::arrival)
      return a.payload < b.payload;
    const ChannelId channel = packet(a).input_channel;
    if (channel != packet(b).input_channel) return channel < packet(b).input_channel;
    return before_on_channel(packet(a), packet(b));
  }

  // Most of a run's time is waiting for memory. First the packet or the channel itself ...
  void fetch_early(const Event& event) const {
    if (event.payload.what() == EventKind::arrival) {
      prefetch(&packet(event));
    } else if (event.payload.what() < EventKind::pause) {
      fetch_channel(ChannelId{event.payload.which()});
    }
  }
  // ... then what these name: the channel that the packet came by, the packet that is next.
  void fetch(const Event& event) const {
    if (event.payload.what() == EventKind::arrival) {
      fetch_for_arrival(event);
    } else if (event.payload.what() == EventKind::try_send) {
      const ChannelId channel{event.payload.which()};
      if (net_->fixed(channel).from_host) return fetch_nic(channel);
      for (std::uint8_t vc = 0; vc < net_->virtual_channels_of(channel); ++vc) {
        if (!net_->channels[channel].may_wait(vc)) continue;
        const PacketIndex head = net_->queue(channel, vc).head;
        if (head != kNoPacket) prefetch(&(*packets_)[head]);
      }
    }
  }

 private:
  static constexpr std::size_t kLargerThanCaches = std::size_t{16} << 20U;

  // What the packet will touch: the credits of the channel that it came by, and the outputs among
  // which it will choose, unless its route is not known yet.
  void fetch_for_arrival(const Event& event) const {
    const Packet& arriving = packet(event);
    if (arriving.input_cut) {
      fetch_queue(topology::reverse(arriving.input_channel), 0);
    } else {
      fetch_queue(arriving.input_channel, arriving.input_vc);
    }
    if (!fetches_outputs_ || !arriving.routed) return;
    const topology::Graph& graph = net_->config.graph;
    net_->config.routing.candidates(NodeId{index(event.receiver)},
                                    graph.host_node(arriving.destination), arriving.route,
                                    scratch_);
    for (const routing::Candidate& one : scratch_) fetch_channel(one.channel);
  }

  // Both lines of a channel; one of its queues; the card that sends on it.
  void fetch_channel(ChannelId channel) const {
    prefetch(&net_->channels[channel]);
    prefetch(&net_->channels[channel].queue);
  }
  void fetch_queue(ChannelId channel, std::uint8_t vc) const {
    prefetch(&net_->channels[channel].queue);
    if (vc > 0) prefetch(&net_->queue(channel, vc));
  }
  void fetch_nic(ChannelId from_host_channel) const {
    const std::uint32_t host = net_->host_of(from_host_channel);
    prefetch(&net_->nics[host]);
    prefetch(&net_->transmit_states[std::size_t{host} * net_->lanes.count()].open);
  }

  // A node's events for itself.
  [[nodiscard]] static bool is_own(const Event& event) {
    switch (event.payload.what()) {
      case EventKind::check:
      case EventKind::ramp_end:
      case EventKind::try_send:
      case EventKind::look:
      case EventKind::flow_start:
      case EventKind::flow_head:
      case EventKind::flow_look:
      case EventKind::flow_delivered:
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] NodeId sender(const Event& event) const {
    const std::uint32_t which = event.payload.which();
    switch (event.payload.what()) {
      case EventKind::arrival:
        return net_->sender(packet(event));
      case EventKind::credit_return_unblocked:
      case EventKind::credit_return_blocked:
        return net_->fixed(ChannelId{which}).target;
      case EventKind::pause:
        return net_->fixed(net_->channel_of(VcPlace{which >> 1U})).target;
      case EventKind::congestion_notification:
        return net_->notifier(which);
      default:
        return NodeId{index(event.receiver)};
    }
  }

  // A channel brings one packet at a time, and any number of announcements. That is rare, and kept
  // out of the code that orders events.
  [[nodiscard, gnu::noinline]] static bool before_on_channel(const Packet& a, const Packet& b) {
    return std::tie(a.bits, a.source, a.message, a.destination, a.tail) <
           std::tie(b.bits, b.source, b.message, b.destination, b.tail);
  }

  [[nodiscard]] const Packet& packet(const Event& arrival) const {
    return (*packets_)[PacketIndex{arrival.payload.which()}];
  }

  const NetworkState* net_;
  const PacketPool* packets_;
  // Where channels are not in the processor's caches it pays to ask the routing twice.
  bool fetches_outputs_;
  mutable routing::Candidates scratch_;
};

}  // namespace ebb::netsim
