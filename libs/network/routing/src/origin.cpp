// SPDX-License-Identifier: Apache-2.0
#include "origin.hpp"

#include "ebb/routing/routing.hpp"
#include "ebb/topology/family.hpp"

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

Result<void> check_origin(const Graph& graph) {
  const topology::Origin& origin = graph.origin();
  const auto made = topology::build(origin.family, origin.parameters, graph.ladders().front());
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

}  // namespace ebb::routing
