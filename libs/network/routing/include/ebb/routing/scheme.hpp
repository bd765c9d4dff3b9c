// SPDX-License-Identifier: Apache-2.0
//
// The routings that ebb ships, by name. Adding one: a source under src/schemes/, its
// declaration in schemes.hpp and its line in schemes.cpp, a test; see docs/add-a-routing.md.
//
//   const auto routing = make_routing("up-down", graph);
//   if (!routing) report(routing.error());
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/routing/routing.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::routing {

struct Scheme {
  std::string name;
  std::string summary;
  std::vector<std::string> families;  // of topologies; empty: any graph
  // May rely on the graph being of one of `families`, link by link. Refuses shapes for which the
  // scheme would need more than it can hold, with the reason.
  Result<std::unique_ptr<Routing>> (*make)(const Graph&) = nullptr;

  [[nodiscard]] bool supports(std::string_view family) const;
};

// Every scheme, in the order `ebb list` prints them.
[[nodiscard]] std::span<const Scheme> schemes();
[[nodiscard]] Result<const Scheme*> find_scheme(std::string_view name);

// Refuses a scheme that does not know the graph's family, a graph that is not what its family makes
// (a file can name a family and hold other links), and graphs that are no networks.
[[nodiscard]] Result<std::unique_ptr<Routing>> make_routing(std::string_view name,
                                                            const Graph& graph);

// The routing `tables`: packets go as the forwarding tables say that `ebb rules` prints and
// `ebb fabric` installs, compact and with a fast reroute for each output. The virtual channel is
// the class of the rule. A switch takes the first output that is live; a link that sleeps, is being
// drained or wakes up is not, and neither is one that has failed: these are down for good. Refuses
// networks that have no such tables, and failures after which a host does not reach another, with
// the two.
[[nodiscard]] Result<std::unique_ptr<Routing>> make_table_routing(
    const Graph& graph, std::span<const topology::LinkId> failed_links);

}  // namespace ebb::routing
