// SPDX-License-Identifier: Apache-2.0
//
// Follows every packet that can exist to one destination: from every host, in every state it can
// start in, by every candidate at every step. Packets at the same switch in the same state are one:
// what they do next is the same.
//
//   PacketStates states(graph, routing, budget);
//   if (auto done = states.explore(host); !done) return fail(done.error());
//   for (const PacketStates::Visit& visit : states.visits())
//     for (const Candidate& output : states.outputs(visit)) ...
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/routing/routing.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ebb::routing {

class PacketStates {
 public:
  struct Place {
    NodeId at{};
    RouteState state;
    bool operator==(const Place&) const = default;
  };
  // A place that a packet can come to, and its outputs to switches: a run of outputs_.
  struct Visit {
    Place place;
    std::size_t first = 0;
    std::size_t size = 0;
  };

  // `budget`: states looked at, over all destinations, before the search gives up.
  PacketStates(const Graph& graph, const Routing& routing, std::uint64_t budget);

  // Replaces what is known by the packets to this host. Fails when the budget is spent or the
  // routing breaks its contract.
  [[nodiscard]] Result<void> explore(NodeId destination_host);

  // In the order in which they were found, which depends on graph and routing alone.
  [[nodiscard]] std::span<const Visit> visits() const { return visits_; }
  // The channel to the destination is left out.
  [[nodiscard]] std::span<const Candidate> outputs(const Visit& visit) const {
    return std::span(outputs_).subspan(visit.first, visit.size);
  }
  // Where a packet is after it took outputs(visit)[i].
  [[nodiscard]] const Visit& after(const Visit& visit, std::size_t i) const {
    return visits_[next_[visit.first + i]];
  }
  // Looked at so far: (switch, state, destination).
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  struct PlaceHash {
    std::size_t operator()(const Place& place) const;
  };

  [[nodiscard]] Failure too_many() const;
  Result<void> enter(NodeId destination);
  Result<void> follow(std::size_t v, NodeId destination);
  Result<std::size_t> visit(const Place& place, NodeId destination);
  [[nodiscard]] Result<void> keep_outputs(const Place& place, NodeId destination);
  [[nodiscard]] Failure broken(std::string_view what, NodeId at, NodeId destination) const;

  const Graph& graph_;
  const Routing& routing_;
  std::uint64_t budget_ = 0;
  std::uint64_t least_ = 0;  // states that there are in any case: known before any work
  std::uint64_t count_ = 0;
  std::unordered_map<Place, std::size_t, PlaceHash> known_;  // never iterated
  std::vector<Visit> visits_;
  std::vector<Candidate> outputs_;
  std::vector<std::size_t> next_;  // by output: the visit it leads to
  Candidates candidates_;
};

}  // namespace ebb::routing
