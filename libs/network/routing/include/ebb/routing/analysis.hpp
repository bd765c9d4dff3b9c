// SPDX-License-Identifier: Apache-2.0
//
// What can be proved or listed about a routing on a graph: whether it can deadlock, and the
// forwarding tables that it amounts to.
//
//   const auto report = find_deadlock(graph, *routing);
//   if (report && !report->cycle.empty()) print(cycle_text(graph, report->cycle));
//   for (const Row& row : forwarding_rows(graph, *routing).value())
//     print(row.at, row.destination, row.channels);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/routing/routing.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace ebb::routing {

// Whether the channel dependencies of a routing have a cycle.
//
// A packet that holds a buffer of (channel, virtual channel) A and may ask for one of B next makes
// a dependency A -> B. If all dependencies together have no cycle, no deadlock can form (Dally and
// Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks"). The converse
// does not hold for adaptive schemes: a cycle is a reason to doubt, not a proof of deadlock.
//
// The dependencies are those of every packet that can exist: every pair of hosts, every state it
// can start in, every candidate at every step. Channels to hosts are left out, because a host
// always takes what arrives, and so are channels from hosts, which nothing waits to enter.
struct DeadlockReport {
  std::uint32_t channels = 0;  // from switch to switch
  int virtual_channels = 0;
  std::uint64_t dependencies = 0;
  std::uint64_t within_rings = 0;  // that bubble flow control takes away
  std::uint64_t states = 0;        // of packets that were looked at: (switch, state, destination)
  std::vector<Candidate> cycle;    // a shortest one, each waiting for the next; empty: acyclic
};

// States of packets that are looked at before a search gives up, after some ten seconds.
inline constexpr std::uint64_t kMostPacketStates = 10'000'000;

struct DeadlockSearch {
  std::uint64_t budget = kMostPacketStates;
  // What if switches have only so many virtual channels? Higher ones are folded onto the last.
  // 0: as many as the routing asks for.
  int virtual_channels = 0;
  // With bubble flow control: one virtual channel, and packets of a ring never wait for each other
  // for good, since it always has room for one. What is left must be acyclic.
  bool bubble = false;
};

// Fails when the graph has no rings that bubble flow control could be for, the network is too large
// for the budget, or when the routing breaks its contract: no candidate, one that does not leave
// the switch, or a virtual channel that it did not declare.
[[nodiscard]] Result<DeadlockReport> find_deadlock(const Graph& graph, const Routing& routing,
                                                   const DeadlockSearch& search = {});

// "s0->s1 vc0, s1->s2 vc0, s2->s0 vc0".
[[nodiscard]] std::string cycle_text(const Graph& graph, const std::vector<Candidate>& cycle);

// A routing as the tables that switches hold: for every switch and destination, the outputs that a
// packet may take. Schemes whose packets carry a state have a row for each choice that a state
// leaves. Who closes channels must leave one of every row open; then every packet arrives.
struct Row {
  NodeId at{};
  NodeId destination{};             // the switch of the hosts that it is for
  std::vector<ChannelId> channels;  // to switches, ascending; never empty

  auto operator<=>(const Row&) const = default;
};

// Ascending, each row once. Every state that a packet can have is looked at, as in find_deadlock;
// fails in the same way when there are too many, or when the routing breaks its contract.
[[nodiscard]] Result<std::vector<Row>> forwarding_rows(const Graph& graph, const Routing& routing,
                                                       std::uint64_t budget = kMostPacketStates);

}  // namespace ebb::routing
