// SPDX-License-Identifier: Apache-2.0
//
// How long a message takes in an idle network whose links all run at full rate, on a shortest path.
#pragma once

#include "ebb/netsim/hardware.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <vector>

namespace ebb::netsim {

class IdleLatency {
 public:
  IdleLatency(const topology::Graph& graph, const Hardware& hardware)
      : graph_(graph), hardware_(hardware) {}

  // Its bits at the rate of the slower of both hosts' links, and cables and switches on the path.
  // With store and forward switching, also a packet for every link after the first.
  [[nodiscard]] Duration of(std::uint32_t source, std::uint32_t destination, DataSize size);

 private:
  struct Path {
    Duration latency{};
    std::uint32_t links = 0;
  };
  void search_from(std::uint32_t source);
  [[nodiscard]] DataRate rate_of(std::uint32_t host) const;

  const topology::Graph& graph_;
  const Hardware& hardware_;
  std::uint32_t source_ = 0;
  std::vector<Path> paths_;  // from the source, by node
};

}  // namespace ebb::netsim
