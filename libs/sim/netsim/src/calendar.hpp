// SPDX-License-Identifier: Apache-2.0
//
// The events of one partition, in their order, and its time.
//
//   Calendar calendar(net, packets);
//   calendar.try_send_at(channel, at);
//   calendar.run_until(end, [&](NodeId receiver, EventKind what, std::uint32_t which) { ... });
#pragma once

#include "event_order.hpp"
#include "network_state.hpp"
#include "packet.hpp"

#include "ebb/des/simulation.hpp"

#include <cstddef>
#include <cstdint>

namespace ebb::netsim {

class Calendar {
 public:
  Calendar(NetworkState& net, const PacketPool& packets)
      : net_(net), simulation_(EventOrder(net, packets)) {}

  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] TimePoint next_time() { return simulation_.next_time(); }
  [[nodiscard]] std::uint64_t handled() const { return simulation_.handled(); }
  [[nodiscard]] std::size_t pending() const { return simulation_.pending(); }
  [[nodiscard]] std::size_t memory_bytes() const { return simulation_.memory_bytes(); }

  // Events from one node to another must lie in the future, so that the nodes can be in different
  // partitions.
  void schedule(NodeId receiver, TimePoint at, EventKind what, std::uint32_t which) {
    simulation_.schedule(des::EntityId{index(receiver)}, at, {what, which});
  }
  void schedule_arrival(ChannelId channel, TimePoint at, PacketIndex packet) {
    schedule(net_.fixed(channel).target, at, EventKind::arrival, index(packet));
  }
  // For the node that sends on the channel.
  void schedule_own(ChannelId channel, TimePoint at, EventKind what) {
    schedule(net_.source_of(channel), at, what, index(channel));
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
  void run_until(TimePoint end, Handle handle) {
    simulation_.run_until(end, [&](const EventOrder::Event& event) { take(event, handle); });
    now_ = end;
  }
  // Until no event is left.
  template <class Handle>
  void run(Handle handle) {
    simulation_.run([&](const EventOrder::Event& event) { take(event, handle); });
  }

 private:
  template <class Handle>
  void take(const EventOrder::Event& event, Handle& handle) {
    now_ = event.at;
    handle(NodeId{index(event.receiver)}, event.payload.what(), event.payload.which());
  }

  NetworkState& net_;
  TimePoint now_{};
  des::Simulation<EventPayload, EventOrder> simulation_;
};

}  // namespace ebb::netsim
