// SPDX-License-Identifier: Apache-2.0
#include "router.hpp"

#include "congestion_view.hpp"

#include <algorithm>

namespace ebb::netsim {

using routing::Candidate;
using routing::Candidates;

Router::Router(PartitionState& part, OutputChannels& outputs)
    : net_(part.net),
      outputs_(outputs),
      routing_(net_.config.routing),
      diversion_(routing_.pause_diversion()),
      graph_(net_.config.graph),
      takes_first_live_(routing_.takes_first_live()),
      last_vc_(static_cast<std::uint8_t>(net_.channels_of_lane - 1)),
      view_(part),
      selector_(make_output_selector(net_.config.hardware, routing_, view_)) {}

Output Router::step(NodeId at, Packet& packet, std::uint8_t first_vc, Candidates& scratch) {
  routing_.candidates(at, graph_.host_node(packet.destination), packet.route, scratch);
  const Candidate taken =
      scratch.size() == 1 ? scratch[0] : selector_->select(scratch, first_vc, net_.ties[index(at)]);
  const bool bypasses = takes_first_live_ && taken.channel != scratch[0].channel;
  if (bypasses && packet.bits > 0) bypass(scratch[0].channel, packet);
  packet.route = routing_.advance(at, taken, packet.route);
  // Where switches have fewer virtual channels than the routing knows, higher ones are the last.
  return {taken.channel, static_cast<std::uint8_t>(first_vc + std::min(taken.vc, last_vc_))};
}

// Nothing comes to wait for a sleeping channel that has a detour, so that what takes the detour has
// to wake it.
void Router::bypass(ChannelId first, const Packet& packet) {
  net_.bypassed_bits[first] += packet.bits;
  if (net_.channels[first].armed && view_.is_asleep(first))
    outputs_.on_bypassed(first, packet.bits);
}

// Once per packet, at its first switch: only there are the queues that a non-minimal path is
// weighed against.
void Router::start(NodeId at, Packet& packet, std::uint8_t first_vc) {
  const NodeId from = graph_.host_node(packet.source);
  const NodeId to = graph_.host_node(packet.destination);
  packet.routed = true;
  packet.route =
      routing_.start(from, to, net_.ties[index(at)], SwitchView(view_, net_, at, first_vc));
}

std::optional<routing::RouteState> Router::diverted(NodeId at, const Packet& packet, VcPlace place,
                                                    std::uint8_t first_vc) {
  if (!net_.fixed(packet.input_channel).from_host) return std::nullopt;
  const NodeId from = graph_.host_node(packet.source);
  const NodeId to = graph_.host_node(packet.destination);
  const Candidate waits_for{net_.channel_of(place),
                            static_cast<std::uint8_t>(net_.vc_of(place) - first_vc)};
  return diversion_->divert(from, to, waits_for, SwitchView(view_, net_, at, first_vc));
}

}  // namespace ebb::netsim
