// SPDX-License-Identifier: Apache-2.0
//
// The routing `tables`: packets go as the forwarding tables say that `ebb rules` prints and
// `ebb fabric` installs, compact and with a fast reroute for each output. The virtual channel is
// the class of the rule. A switch takes the first output that is live; a link that sleeps, is being
// drained or wakes up is not, and neither is one that has failed.
//
//   const auto routing = make_table_routing(graph, {&*topology::link_named(graph, "s0-s1"), 1});
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/routing/routing.hpp"

#include <memory>
#include <span>

namespace ebb::routing {

// With these links down for good. Refuses networks that have no such tables, and failures after
// which a host does not reach another, with the two.
[[nodiscard]] Result<std::unique_ptr<Routing>> make_table_routing(
    const Graph& graph, std::span<const topology::LinkId> failed_links);

}  // namespace ebb::routing
