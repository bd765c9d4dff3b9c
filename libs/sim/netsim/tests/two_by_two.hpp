// SPDX-License-Identifier: Apache-2.0
//
// Two pairs of hosts that share a link.
#pragma once

#include "tiny_network.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace ebb::netsim {

// h0 and h1 on s0, h2 and h3 on s1; the link to h2 has ladder 1.
inline topology::Graph two_by_two(DataRate to_h2) {
  topology::GraphBuilder builder(2, 4, {{k40G}, {to_h2}});
  const auto host = [&](std::uint32_t h) { return builder.host_node(h); };
  const auto s = [&](std::uint32_t i) { return builder.switch_node(i); };
  builder.connect(s(0), s(1));
  builder.connect(host(0), s(0));
  builder.connect(host(1), s(0));
  builder.connect({.a = host(2), .b = s(1), .ladder = 1});
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
