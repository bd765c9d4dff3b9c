// SPDX-License-Identifier: Apache-2.0
//
// The events of one partition, in their order, and its time.
//
// Events of one moment are ordered by what they are and what they concern, not by when they were
// scheduled: that would depend on how the nodes are spread over partitions.
//
//   Calendar calendar(net);
//   calendar.try_send_at(channel, at);
//   calendar.run_until(end, [&](NodeId receiver, EventKind what, std::uint32_t which) { ... });
#pragma once

#include "network_state.hpp"
#include "packet.hpp"

#include "ebb/des/simulation.hpp"

#include <cstddef>
#include <cstdint>

namespace ebb::netsim {

// In the order in which they happen when they fall on one moment: a trigger acts before the next
// packet, credits come back before they stay away again.
enum class EventKind : std::uint32_t {
  arrival,  // of a packet; all others but the last three concern a channel
  check,
  ramp_end,
  try_send,
  credit_return_unblocked,
  credit_return_blocked,
  // These concern virtual channels or notifications.
  pause,
  look,
  congestion_notification
};

class Calendar {
 public:
  explicit Calendar(NetworkState& net) : net_(net), simulation_(net.config.graph.node_count()) {}

  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] TimePoint next_time() { return simulation_.next_time(); }
  [[nodiscard]] std::uint64_t handled() const { return simulation_.handled(); }
  [[nodiscard]] std::size_t pending() const { return simulation_.pending(); }
  [[nodiscard]] std::size_t memory_bytes() const { return simulation_.memory_bytes(); }

  struct Ends {
    NodeId sender{};
    NodeId receiver{};
  };
  // `subject` orders events of one kind and moment: the channel, or what else they concern.
  void schedule(Ends ends, TimePoint at, EventKind what, std::uint32_t subject,
                std::uint32_t which) {
    simulation_.schedule(entity(ends.sender), entity(ends.receiver), at, order(what, subject),
                         {what, which});
  }
  void schedule_arrival(ChannelId channel, TimePoint at, PacketIndex packet) {
    schedule({net_.source_of(channel), net_.fixed[channel].target}, at, EventKind::arrival,
             index(channel), index(packet));
  }
  // For the node that sends on the channel.
  void schedule_own(ChannelId channel, TimePoint at, EventKind what) {
    const NodeId node = net_.source_of(channel);
    schedule({node, node}, at, what, index(channel), index(channel));
  }
  // An event that a node of another partition has sent.
  void receive(Ends ends, TimePoint at, EventKind what, std::uint32_t subject,
               std::uint32_t which) {
    simulation_.receive(
        {at, entity(ends.receiver), entity(ends.sender), order(what, subject), {what, which}});
  }

  // The channel looks for something to send. An earlier try that is already scheduled finds what to
  // do next by itself.
  void try_send_at(ChannelId channel, TimePoint at) {
    TimePoint& next = net_.channels[channel].next_try;
    if (at >= next) return;
    next = at;
    schedule_own(channel, at, EventKind::try_send);
  }
  // The channel looks at its triggers; likewise.
  void check_at(ChannelId channel, TimePoint at) {
    TimePoint& next = net_.triggers[channel].next_check;
    if (at >= next) return;
    next = at;
    schedule_own(channel, at, EventKind::check);
  }

  // Calls handle(receiver, what, which) for every event before `end`; afterwards it is `end`.
  template <class Handle>
  void run_until(TimePoint end, const PacketPool& packets, Handle handle) {
    simulation_.run_until(end, [&](const Event& event) { take(event, packets, handle); });
    now_ = end;
  }
  // Until no event is left.
  template <class Handle>
  void run(const PacketPool& packets, Handle handle) {
    simulation_.run([&](const Event& event) { take(event, packets, handle); });
  }

 private:
  // 4 bytes: an event has 24 with it.
  class Payload {
   public:
    Payload() = default;
    Payload(EventKind what, std::uint32_t which)
        : bits_(static_cast<std::uint32_t>(what) << kShift | which) {}
    [[nodiscard]] EventKind what() const { return EventKind{bits_ >> kShift}; }
    [[nodiscard]] std::uint32_t which() const { return bits_ & ((1U << kShift) - 1); }

   private:
    static constexpr int kShift = 28;
    std::uint32_t bits_ = 0;
  };
  using Event = des::Event<Payload>;

  [[nodiscard]] static des::EntityId entity(NodeId node) { return des::EntityId{index(node)}; }
  [[nodiscard]] static std::uint32_t order(EventKind what, std::uint32_t subject) {
    constexpr int kSubjectBits = 27;
    return static_cast<std::uint32_t>(what) << kSubjectBits | subject;
  }

  template <class Handle>
  void take(const Event& event, const PacketPool& packets, Handle& handle) {
    prefetch(packets);
    now_ = event.at;
    handle(NodeId{index(event.receiver)}, event.payload.what(), event.payload.which());
  }

  // Most of a run's time is waiting for memory: what soon-to-come events need is fetched ahead, the
  // channel or packet first and, nearer, the packet at the head of the channel's queue.
  void prefetch(const PacketPool& packets) const {
    constexpr std::size_t kFar = 5;
    constexpr std::size_t kNear = 2;
    if (const Payload* far = simulation_.upcoming(kFar)) {
      if (far->what() == EventKind::arrival) {
        __builtin_prefetch(&packets[PacketIndex{far->which()}]);
      } else if (far->what() < EventKind::pause) {
        __builtin_prefetch(&net_.channels[ChannelId{far->which()}]);
        __builtin_prefetch(&net_.queues[net_.place(ChannelId{far->which()}, 0)]);
      }
    }
    if (const Payload* near = simulation_.upcoming(kNear);
        near && near->what() == EventKind::try_send) {
      for (std::uint8_t vc = 0; vc < net_.virtual_channels; ++vc) {
        const PacketIndex head = net_.queues[net_.place(ChannelId{near->which()}, vc)].head;
        if (head != kNoPacket) __builtin_prefetch(&packets[head]);
      }
    }
  }

  NetworkState& net_;
  TimePoint now_{};
  des::Simulation<Payload> simulation_;
};

}  // namespace ebb::netsim
