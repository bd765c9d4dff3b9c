// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment_parts.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ebb::netsim {

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
  [[nodiscard]] int links_ahead(topology::NodeId at, topology::NodeId destination,
                                routing::RouteState) const override {
    return static_cast<int>((index(destination) - index(at)) % 4);
  }
  [[nodiscard]] std::size_t memory_bytes() const override { return 0; }
};

}  // namespace ebb::netsim
