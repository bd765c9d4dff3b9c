// SPDX-License-Identifier: Apache-2.0
//
// The components of a partition without a network around them: the arrays of h0 - s0 - s1 - h1
// (tiny_network.hpp has its channels and times), and nobody who handles events but the test.
#pragma once

#include "../src/meters.hpp"
#include "../src/output_channels.hpp"
#include "../src/partition_state.hpp"
#include "tiny_network.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ebb::netsim {

inline constexpr ChannelId kFromHost{0};  // h0 -> s0
inline constexpr ChannelId kToHost{4};    // s1 -> h1
inline constexpr ChannelId kBetween{2};   // s0 -> s1
inline constexpr ChannelId kBetweenBack{3};
inline constexpr NodeId kFirstSwitch{0};
inline constexpr NodeId kSecondSwitch{1};

// An event that came.
struct Happened {
  TimePoint at{};
  EventKind what{};
  std::uint32_t which = 0;

  bool operator==(const Happened&) const = default;
};

struct PartsUnderTest {
  explicit PartsUnderTest(const Hardware& hardware = tiny_hardware(),
                          ChannelModel model = rates_only({k10G, k40G}),
                          std::vector<traffic::Message> messages = {})
      : graph(line(2, {{k10G, k40G}})),
        routing(graph),
        source(messages, graph.host_count()),
        net({.graph = graph,
             .routing = routing,
             .models = {std::move(model)},
             .hardware = hardware,
             .switch_core = {}},
            source),
        outbox(1, 0),
        part(net, outbox, 0, watcher),
        meters(part),
        outputs(part, meters) {}

  // All events before `end`, which then is now.
  std::vector<Happened> run(TimePoint end) {
    std::vector<Happened> seen;
    part.calendar.run_until(end, [&](NodeId /*receiver*/, EventKind what, std::uint32_t which) {
      seen.push_back({part.now(), what, which});
    });
    return seen;
  }

  // A packet that has come in on the channel, all of it.
  PacketIndex packet_from(ChannelId input, std::uint32_t destination = 1) {
    const PacketIndex made = part.packets.take();
    part.packets[made] = {.tail = part.now(),
                          .destination = destination,
                          .bits = static_cast<std::uint32_t>(kPacket.count()),
                          .input_channel = input};
    return made;
  }

  topology::Graph graph;
  FirstPath routing;
  Script source;
  NetworkState net;
  Outbox outbox;
  Watcher watcher;
  PartitionState part;
  Meters meters;
  OutputChannels outputs;
};

}  // namespace ebb::netsim
