// SPDX-License-Identifier: Apache-2.0
//
// Networks small enough to compute every time by hand. A packet of 2000 bytes takes
//
//   400 ns at 40 Gb/s    800 ns at 20 Gb/s    1600 ns at 10 Gb/s    6400 ns at 2.5 Gb/s,
//
// a switch 100 ns and a cable 50 ns, so a head comes from one switch to the next in 150 ns.
#pragma once

#include "ebb/netsim/network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <utility>
#include <vector>

namespace ebb::netsim {

inline constexpr DataRate k40G = gigabits_per_second(40);
inline constexpr DataRate k10G = gigabits_per_second(10);
inline constexpr DataRate k2500M = megabits_per_second(2500);
inline constexpr DataSize kPacket = bytes(2000);

constexpr TimePoint at(Duration since_start) { return TimePoint(since_start); }

inline Hardware tiny_hardware() {
  Hardware hardware;
  hardware.packet = kPacket;
  return hardware;
}

// A path to every host, the first found; packets of host h use virtual channel h modulo their
// number between switches. Not free of deadlocks on rings.
class FirstPath final : public routing::Routing {
 public:
  explicit FirstPath(const topology::Graph& graph, int virtual_channels = 1)
      : graph_(graph), virtual_channels_(virtual_channels) {
    for (std::uint32_t h = 0; h < graph.host_count(); ++h) next_.push_back(towards(h));
  }

  [[nodiscard]] int virtual_channels() const override { return virtual_channels_; }
  [[nodiscard]] routing::RouteState start(topology::NodeId source, topology::NodeId /*destination*/,
                                          RandomStream& /*random*/,
                                          const routing::CongestionView& /*view*/) const override {
    return {.intermediate = graph_.host_number(source)};
  }
  void candidates(topology::NodeId at, topology::NodeId destination, routing::RouteState state,
                  routing::Candidates& out) const override {
    const topology::ChannelId next = next_[graph_.host_number(destination)][index(at)];
    const bool last = graph_.is_host(graph_.target(next));
    const auto vc = static_cast<std::uint8_t>(state.intermediate % virtual_channels_);
    out.clear();
    out.push({next, last ? std::uint8_t{0} : vc});
  }
  [[nodiscard]] routing::RouteState advance(topology::NodeId /*at*/, const routing::Candidate&,
                                            routing::RouteState state) const override {
    return state;
  }
  [[nodiscard]] int remaining_hops(topology::NodeId, topology::NodeId,
                                   routing::RouteState) const override {
    return 0;
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }

 private:
  // By node: the channel that leads to the host.
  [[nodiscard]] std::vector<topology::ChannelId> towards(std::uint32_t host) const {
    std::vector<topology::ChannelId> next(graph_.node_count());
    std::vector<bool> seen(graph_.node_count());
    std::vector<topology::NodeId> queue = {graph_.host_node(host)};
    seen[index(queue[0])] = true;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const topology::ChannelId out : graph_.outputs(queue[i])) {
        const topology::NodeId node = graph_.target(out);
        if (seen[index(node)] || graph_.is_host(node)) continue;
        seen[index(node)] = true;
        next[index(node)] = topology::reverse(out);
        queue.push_back(node);
      }
    }
    return next;
  }

  const topology::Graph& graph_;
  int virtual_channels_;
  std::vector<std::vector<topology::ChannelId>> next_;  // by host
};

struct Deliveries {
  std::vector<PacketDelivered> packets;  // in the order of their delivery
  std::vector<MessageDelivered> messages;

  bool operator==(const Deliveries&) const = default;

  [[nodiscard]] std::vector<TimePoint> sent() const {
    std::vector<TimePoint> times;
    for (const PacketDelivered& packet : packets) times.push_back(packet.sent);
    std::sort(times.begin(), times.end());
    return times;
  }
  [[nodiscard]] std::vector<TimePoint> arrived() const {
    std::vector<TimePoint> times;
    for (const PacketDelivered& packet : packets) times.push_back(packet.at);
    return times;
  }
};

class Watcher final : public Observer {
 public:
  void packet_delivered(const PacketDelivered& packet) override { seen.packets.push_back(packet); }
  void message_delivered(const MessageDelivered& message) override {
    seen.messages.push_back(message);
  }

  Deliveries seen;
};

// h0 - s0 - s1 - ... - h1. Channels 0, 2, 4, ... lead from h0 to h1; channel c + 1 leads back. Link
// i has rate table i, or the last there is.
inline topology::Graph line(std::uint32_t switches, std::vector<topology::RateTable> rate_tables,
                            std::vector<std::uint32_t> lengths_mm = {}) {
  const auto most = static_cast<std::uint8_t>(rate_tables.size() - 1);
  topology::GraphBuilder builder(switches, 2, std::move(rate_tables));
  topology::NodeId from = builder.host_node(0);
  lengths_mm.resize(switches + 1);
  for (std::uint32_t i = 0; i <= switches; ++i) {
    const topology::NodeId to = i < switches ? builder.switch_node(i) : builder.host_node(1);
    builder.connect({.a = from,
                     .b = to,
                     .length_mm = lengths_mm[i],
                     .rate_table = std::min(static_cast<std::uint8_t>(i), most)});
    from = to;
  }
  return std::move(builder).build({});
}

// Channels that draw a watt for each Gb/s (and 2.5 W at 2.5 Gb/s), one lane, no sleep.
inline ChannelModel rates_only(const topology::RateTable& rates, Duration rate_change = {}) {
  ChannelModel model;
  for (const DataRate rate : rates) {
    model.rate_levels.push_back({rate, 1, microwatts(rate.count() / 1000)});
  }
  model.rate_change = rate_change;
  model.lane_change = rate_change;
  return model;
}

// The same that draw a watt asleep.
inline ChannelModel sleepy(const topology::RateTable& rates, Duration wake,
                           Duration rate_change = {}) {
  ChannelModel model = rates_only(rates, rate_change);
  model.sleep = ChannelModel::Sleep{watts(1), wake, {}};
  return model;
}

inline traffic::Message message(Duration created, DataSize size, std::uint32_t from = 0,
                                std::uint32_t to = 1) {
  return {TimePoint(created), from, to, size, 0};
}

// A network with all that it refers to.
struct TinyWorld {
  TinyWorld(topology::Graph a_graph, std::vector<ChannelModel> models, const Hardware& hardware,
            const std::vector<traffic::Message>& messages, int virtual_channels = 1,
            Fidelity fidelity = Fidelity::packet)
      : graph(std::move(a_graph)),
        routing(graph, virtual_channels),
        script(messages, graph.host_count()),
        network({.graph = graph,
                 .routing = routing,
                 .models = std::move(models),
                 .hardware = hardware,
                 .switch_core = watts(10),
                 .fidelity = fidelity},
                script, watcher) {}

  // One model for all rate tables.
  TinyWorld(topology::Graph a_graph, const ChannelModel& model, const Hardware& hardware,
            const std::vector<traffic::Message>& messages, int virtual_channels = 1)
      : TinyWorld(std::move(a_graph), std::vector<ChannelModel>{model}, hardware, messages,
                  virtual_channels) {}

  policy::Outcome order(std::uint32_t channel, policy::Order what) {
    return network.apply({policy::ChannelId{channel}, std::move(what)});
  }
  [[nodiscard]] policy::State state(std::uint32_t channel) const {
    return network.state(topology::ChannelId{channel});
  }
  [[nodiscard]] ChannelUse use(std::uint32_t channel) const {
    return network.use(topology::ChannelId{channel});
  }

  topology::Graph graph;
  FirstPath routing;
  Script script;
  Watcher watcher;
  const Deliveries& seen = watcher.seen;
  Network network;
};

// Runs a network without sleep or changes to its end.
inline Deliveries delivered(topology::Graph graph, const Hardware& hardware,
                            const std::vector<traffic::Message>& messages) {
  std::vector<ChannelModel> models;
  for (const topology::RateTable& rates : graph.rate_tables()) models.push_back(rates_only(rates));
  TinyWorld world(std::move(graph), std::move(models), hardware, messages);
  world.network.run_until_idle();
  EXPECT_EQ(to_string(world.network.check_conservation()), "");
  return world.seen;
}

// Reads better than a list of time points.
inline std::vector<std::int64_t> nanoseconds(const std::vector<TimePoint>& times) {
  std::vector<std::int64_t> result;
  for (const TimePoint time : times) {
    EXPECT_EQ(time.time_since_epoch().count() % 1000, 0) << "not a whole nanosecond";
    result.push_back(time.time_since_epoch().count() / 1000);
  }
  return result;
}

using Nanoseconds = std::vector<std::int64_t>;

// Everything turns right on a ring of four switches, on one virtual channel: a deadlock in waiting.
class Clockwise final : public routing::Routing {
 public:
  // Link i leads from switch i to the next, link 4 + i from host i to switch i.
  [[nodiscard]] static topology::Graph ring() {
    topology::GraphBuilder builder(4, 4, {{k40G}});
    for (std::uint32_t i = 0; i < 4; ++i) {
      builder.connect(builder.switch_node(i), builder.switch_node((i + 1) % 4));
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
      builder.connect(builder.host_node(i), builder.switch_node(i));
    }
    return std::move(builder).build({});
  }

  [[nodiscard]] int virtual_channels() const override { return 1; }
  void candidates(topology::NodeId at, topology::NodeId destination, routing::RouteState,
                  routing::Candidates& out) const override {
    const std::uint32_t host = index(destination) - 4;
    out.clear();
    out.push({topology::ChannelId{index(at) == host ? 9 + 2 * host : 2 * index(at)}, 0});
  }
  [[nodiscard]] routing::RouteState advance(topology::NodeId, const routing::Candidate&,
                                            routing::RouteState state) const override {
    return state;
  }
  [[nodiscard]] int remaining_hops(topology::NodeId at, topology::NodeId destination,
                                   routing::RouteState) const override {
    return static_cast<int>((index(destination) - index(at)) % 4);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }
};

// Two pairs of hosts that share a link: h0 and h1 on s0, h2 and h3 on s1; the link to h2 has rate
// table 1.
inline topology::Graph two_by_two(DataRate to_h2) {
  topology::GraphBuilder builder(2, 4, {{k40G}, {to_h2}});
  const auto host = [&](std::uint32_t h) { return builder.host_node(h); };
  const auto s = [&](std::uint32_t i) { return builder.switch_node(i); };
  builder.connect(s(0), s(1));
  builder.connect(host(0), s(0));
  builder.connect(host(1), s(0));
  builder.connect({.a = host(2), .b = s(1), .rate_table = 1});
  builder.connect(host(3), s(1));
  return std::move(builder).build({});
}

inline Nanoseconds arrivals_at(const Deliveries& seen, std::uint32_t host) {
  std::vector<TimePoint> times;
  for (const PacketDelivered& packet : seen.packets) {
    if (packet.destination == host) times.push_back(packet.at);
  }
  return nanoseconds(times);
}

}  // namespace ebb::netsim
