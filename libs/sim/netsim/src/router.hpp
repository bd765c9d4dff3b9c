// SPDX-License-Identifier: Apache-2.0
//
// Where a packet goes next: what the routing allows, and what the switch prefers of that.
#pragma once

#include "channel_view.hpp"
#include "output_channels.hpp"
#include "output_selector.hpp"
#include "partition_state.hpp"

#include "ebb/routing/congestion.hpp"
#include "ebb/routing/routing.hpp"

#include <cstdint>
#include <memory>
#include <optional>

namespace ebb::netsim {

// An output, and the virtual channel on it.
struct Output {
  ChannelId channel{};
  std::uint8_t vc = 0;
};

class Router {
 public:
  Router(PartitionState& part, OutputChannels& outputs);

  // The output that a packet takes at a switch. `first_vc` is the first virtual channel of its
  // lane.
  [[nodiscard]] Output route(NodeId at, Packet& packet, std::uint8_t first_vc,
                             routing::Candidates& scratch) {
    if (!packet.routed) start(at, packet, first_vc);
    return step(at, packet, first_vc, scratch);
  }
  // The same in the state that the packet has.
  [[nodiscard]] Output step(NodeId at, Packet& packet, std::uint8_t first_vc,
                            routing::Candidates& scratch);

  // The routing sends packets another way while their output is paused (PauseDiversion).
  [[nodiscard]] bool diverts() const { return diversion_ != nullptr; }
  // The non-minimal path of a packet that waits at its first switch for the paused virtual channel,
  // if it takes one.
  [[nodiscard]] std::optional<routing::RouteState> diverted(NodeId at, const Packet& packet,
                                                            VcPlace place, std::uint8_t first_vc);

 private:
  void start(NodeId at, Packet& packet, std::uint8_t first_vc);

  // The packet goes by another output than its first choice.
  void bypass(ChannelId first, const Packet& packet);

  NetworkState& net_;
  OutputChannels& outputs_;
  const routing::Routing& routing_;
  const routing::PauseDiversion* diversion_;  // null: the routing has none
  const topology::Graph& graph_;
  const bool takes_first_live_;
  const std::uint8_t last_vc_;  // of a lane
  ChannelView view_;
  std::unique_ptr<OutputSelector> selector_;
};

}  // namespace ebb::netsim
