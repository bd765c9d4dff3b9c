// SPDX-License-Identifier: Apache-2.0
//
// What switches, network cards and cables are like, the same all over the network.
// docs/models/netsim.md draws where a packet waits and which latency it pays where.
#pragma once

#include "ebb/core/error.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace ebb::netsim {

enum class Switching : std::uint8_t {
  cut_through,       // a switch may send the head of a packet before it has the tail
  store_and_forward  // a switch waits for the whole packet
};

// What a switch that chooses among outputs goes by.
enum class Congestion : std::uint8_t {
  queue,   // what waits for the output and is on its wire
  credits  // and what has piled up behind it, by the credits that have not come back
};

struct Hardware {
  Switching switching = Switching::cut_through;
  DataSize packet = bytes(2048);  // messages are cut into packets of at most this
  // Space for arriving packets, for each virtual channel of each link into a switch. The sender
  // holds credits for it and sends nothing that would not fit.
  DataSize input_buffer = bytes(65'536);
  // Space behind the crossbar, for each virtual channel of each link out of a switch. A packet that
  // fits moves there at once and frees its input space; with none it leaves from the input buffer.
  DataSize output_buffer;
  Congestion congestion = Congestion::queue;
  // When a switch chooses among outputs, one that rests, asleep or below its full rate, counts as
  // if so much more waited for it: traffic keeps to channels that are up until their queues say
  // otherwise.
  DataSize rest_counts_as;
  // A change of rate that takes at least so long begins when nothing waits for the channel any
  // more; until it is over, switches that have a choice keep away from the channel. None: changes
  // begin after the packet on the wire, and others wait for their end.
  std::optional<Duration> drain_from;
  Duration switch_latency = std::chrono::nanoseconds(100);  // head in to head ready to leave
  Duration link_latency = std::chrono::nanoseconds(50);     // of a cable of no length
  Duration delay_per_metre{};                               // 5 ns in copper and glass

  bool operator==(const Hardware&) const = default;

  [[nodiscard]] Duration latency(const topology::Link& link) const {
    return link_latency + Duration(delay_per_metre.count() * link.length_mm / 1000);
  }
};

// Every reason why no network can be built from it; empty when there is none.
[[nodiscard]] Errors mistakes(const Hardware& hardware);

}  // namespace ebb::netsim
