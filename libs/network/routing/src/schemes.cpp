// SPDX-License-Identifier: Apache-2.0
#include "schemes.hpp"

#include "ebb/core/names.hpp"
#include "ebb/routing/routing.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::routing {
namespace {

bool same_links(const Graph& one, const Graph& other) {
  if (one.switch_count() != other.switch_count() || one.host_count() != other.host_count())
    return false;
  return std::equal(
      one.links().begin(), one.links().end(), other.links().begin(), other.links().end(),
      [](const topology::Link& a, const topology::Link& b) { return a.a == b.a && a.b == b.b; });
}

}  // namespace

bool Scheme::supports(std::string_view family) const {
  return families.empty() || std::find(families.begin(), families.end(), family) != families.end();
}

// One line per scheme, so that adding one changes one line.
std::span<const Scheme> schemes() {
  // clang-format off
  static const std::vector<Scheme> kSchemes = {
      minimal_adaptive::scheme(),
      dimension_order::scheme(),
      sparse::mesh(),
      sparse::torus(),
      sparse::mesh_and_torus(),
      sparse::star(),
      minimal::scheme(),
      valiant::scheme(),
      valiant_any::scheme(),
      ugal::scheme(),
      ugal_queue::scheme(),
      ugal_credits::scheme(),
      piggyback::scheme(),
      conditional::scheme(),
      up_down::scheme(),
      shortest_path::scheme(),
      up_down_tree::scheme(),
      up_down_nonminimal::scheme(),
      forwarding_tables::scheme(),
  };
  // clang-format on
  return kSchemes;
}

Result<const Scheme*> find_scheme(std::string_view name) {
  return find_named("routing", schemes(), name, &Scheme::name);
}

Result<std::unique_ptr<Routing>> make_routing(std::string_view name, const Graph& graph) {
  const auto scheme = find_scheme(name);
  if (!scheme) return fail(scheme.error());
  const std::string& family = graph.origin().family;
  if (!(*scheme)->supports(family)) {
    return fail(fmt::format("routing '{}' is for {}, not for {}", name,
                            fmt::join((*scheme)->families, ", "), family));
  }
  if (graph.switch_count() == 0) return fail("a network without switches has no routes");
  if (graph.planes() > 1) return make_multi_plane(name, graph);
  if (Errors errors = topology::check(graph); !errors.empty()) return fail(std::move(errors));
  if (!(*scheme)->families.empty()) {
    if (auto same = check_origin(graph); !same) return fail(same.error());
  }
  return (*scheme)->make(graph);
}

Result<void> check_origin(const Graph& graph) {
  const topology::Origin& origin = graph.origin();
  const auto made = topology::build(origin.family, origin.parameters, graph.rate_tables().front());
  if (!made) return fail(made.error());
  if (same_links(graph, *made)) return {};
  return fail(
      fmt::format("the links are not those of a {} with the parameters that the graph names; "
                  "shortest-path and up-down-tree work on any graph",
                  origin.family));
}

Parameters parameters_of(const Graph& graph) {
  const topology::Family& family = *topology::find_family(graph.origin().family).value();
  return Parameters::resolve(family.parameters, graph.origin().parameters).value();
}

Result<void> check_width(std::uint64_t candidates) {
  if (candidates <= Candidates::kCapacity) return {};
  return fail(fmt::format("a packet could have {} legal outputs at a switch; ebb holds {}",
                          candidates, Candidates::kCapacity));
}

// What a routing does that overrides nothing.
RouteState Routing::start(NodeId /*source_host*/, NodeId /*destination_host*/,
                          RandomStream& /*random*/, const CongestionView& /*view*/) const {
  return {};
}

std::vector<RouteState> Routing::all_starts(NodeId /*source_host*/,
                                            NodeId /*destination_host*/) const {
  return {RouteState{}};
}

int Routing::tier(ChannelId /*channel*/) const { return 0; }

}  // namespace ebb::routing
