// SPDX-License-Identifier: Apache-2.0
#include "packet_states.hpp"

#include "schemes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::routing {

std::size_t PacketStates::PlaceHash::operator()(const Place& place) const {
  const std::uint64_t state = std::uint64_t{place.state.intermediate} << 16U |
                              std::uint64_t{place.state.phase} << 8U | place.state.hops |
                              std::uint64_t{place.state.input_port} << 48U;
  const std::uint64_t mixed =
      (state ^ std::uint64_t{index(place.at)} << 48U ^ index(place.at)) * 0x9E37'79B9'7F4A'7C15ULL;
  return static_cast<std::size_t>(mixed ^ mixed >> 32U);
}

// A packet to each host starts at every other switch with hosts, of the plane of the host.
PacketStates::PacketStates(const Graph& graph, const Routing& routing, std::uint64_t budget)
    : graph_(graph), routing_(routing), budget_(budget) {
  std::vector<bool> has_hosts(graph.switch_count(), false);
  for (std::uint32_t h = 0; h < graph.host_count(); ++h)
    has_hosts[index(access_switch(graph, graph.host_node(h)))] = true;
  const auto starts = std::count(has_hosts.begin(), has_hosts.end(), true) / graph.planes();
  if (starts > 0)
    least_ = std::uint64_t{graph.host_count()} * static_cast<std::uint64_t>(starts - 1);
}

Result<void> PacketStates::explore(NodeId destination) {
  if (least_ > budget_) return too_many();
  known_.clear();
  visits_.clear();
  outputs_.clear();
  next_.clear();
  if (auto entered = enter(destination); !entered) return entered;
  for (std::size_t v = 0; v < visits_.size(); ++v) {
    if (auto done = follow(v, destination); !done) return done;
  }
  return {};
}

// Every state in which a packet can start.
Result<void> PacketStates::enter(NodeId destination) {
  const std::uint32_t hosts = graph_.host_nodes_of_plane();
  const std::uint32_t first = graph_.host_number(destination) / hosts * hosts;
  for (std::uint32_t s = first; s < first + hosts; ++s) {
    const NodeId source = graph_.host_node(s);
    if (source == destination) continue;
    const NodeId at = access_switch(graph_, source);
    for (const RouteState state : routing_.all_starts(source, destination)) {
      if (auto found = visit({at, state}, destination); !found) return fail(found.error());
    }
  }
  return {};
}

// Every step out of a place.
Result<void> PacketStates::follow(std::size_t v, NodeId destination) {
  const Visit from = visits_[v];
  for (std::size_t i = from.first; i < from.first + from.size; ++i) {
    const Candidate taken = outputs_[i];
    const auto found = visit(
        {graph_.target(taken.channel), routing_.advance(from.place.at, taken, from.place.state)},
        destination);
    if (!found) return fail(found.error());
    next_[i] = *found;
  }
  return {};
}

Result<std::size_t> PacketStates::visit(const Place& place, NodeId destination) {
  const auto [entry, is_new] = known_.try_emplace(place, visits_.size());
  if (!is_new) return entry->second;
  if (++count_ > budget_) return too_many();
  const std::size_t first = outputs_.size();
  if (auto kept = keep_outputs(place, destination); !kept) return fail(kept.error());
  next_.resize(outputs_.size());
  visits_.push_back({place, first, outputs_.size() - first});
  return entry->second;
}

Result<void> PacketStates::keep_outputs(const Place& place, NodeId destination) {
  routing_.candidates(place.at, destination, place.state, candidates_);
  if (candidates_.empty()) return broken("has no legal output", place.at, destination);
  for (const Candidate& one : candidates_) {
    if (index(one.channel) >= graph_.channel_count() || graph_.source(one.channel) != place.at)
      return broken("is sent to an output of another switch", place.at, destination);
    if (one.vc >= routing_.virtual_channels())
      return broken("gets an undeclared virtual channel", place.at, destination);
    const NodeId next = graph_.target(one.channel);
    if (next == destination) continue;
    if (graph_.is_host(next)) return broken("is sent to another host", place.at, destination);
    outputs_.push_back(one);
  }
  return {};
}

Failure PacketStates::too_many() const {
  return fail(
      fmt::format("more than {} states of packets: too many to follow; try a smaller shape of the "
                  "same kind",
                  budget_));
}

Failure PacketStates::broken(std::string_view what, NodeId at, NodeId destination) const {
  return fail(
      fmt::format("a packet to {} {} at {}", graph_.name(destination), what, graph_.name(at)));
}

}  // namespace ebb::routing
