// SPDX-License-Identifier: Apache-2.0
//
// The schemes that schemes.cpp lists, and what they share. Each scheme is a source under schemes/,
// which begins with what it does and promises.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/routing/routing.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/parameters.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace ebb::routing {

// clang-format off
namespace conditional { [[nodiscard]] Scheme scheme(); }
namespace dimension_order { [[nodiscard]] Scheme scheme(); }
namespace forwarding_tables { [[nodiscard]] Scheme scheme(); }
namespace minimal { [[nodiscard]] Scheme scheme(); }
namespace minimal_adaptive { [[nodiscard]] Scheme scheme(); }
namespace piggyback { [[nodiscard]] Scheme scheme(); }
namespace shortest_path { [[nodiscard]] Scheme scheme(); }
namespace sparse { [[nodiscard]] Scheme mesh(); [[nodiscard]] Scheme torus(); [[nodiscard]] Scheme mesh_and_torus(); [[nodiscard]] Scheme star(); }
namespace ugal { [[nodiscard]] Scheme scheme(); }
namespace ugal_credits { [[nodiscard]] Scheme scheme(); }
namespace ugal_queue { [[nodiscard]] Scheme scheme(); }
namespace up_down { [[nodiscard]] Scheme scheme(); }
namespace up_down_nonminimal { [[nodiscard]] Scheme scheme(); }
namespace up_down_tree { [[nodiscard]] Scheme scheme(); }
namespace valiant { [[nodiscard]] Scheme scheme(); }
namespace valiant_any { [[nodiscard]] Scheme scheme(); }
// clang-format on

// The scheme of this name in each plane of a graph of several (multi_plane.cpp).
[[nodiscard]] Result<std::unique_ptr<Routing>> make_multi_plane(std::string_view name,
                                                                const Graph& graph);

// Schemes that compute ports from indices need a graph that is exactly what its family makes. This
// builds the family's network once more and compares link by link: where links end and in which
// order, not their lengths and rates. A tenth of a second for 300,000 hosts.
[[nodiscard]] Result<void> check_origin(const topology::Graph& graph);

// Of a graph that passed check_origin.
[[nodiscard]] Parameters parameters_of(const topology::Graph& graph);

// Refuses more legal outputs than Candidates holds.
[[nodiscard]] Result<void> check_width(std::uint64_t candidates);

// Where a host hangs: its first link.
[[nodiscard]] inline NodeId access_switch(const Graph& graph, NodeId host) {
  return graph.target(graph.outputs(host).front());
}

// The last step of every route.
[[nodiscard]] inline Candidate delivery(const Graph& graph, NodeId host) {
  return {topology::reverse(graph.outputs(host).front()), 0};
}

// Of numbers that are not negative.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace ebb::routing
