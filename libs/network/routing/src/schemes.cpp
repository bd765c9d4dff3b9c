// SPDX-License-Identifier: Apache-2.0
#include "origin.hpp"
#include "schemes/conditional.hpp"
#include "schemes/dimension_order.hpp"
#include "schemes/minimal.hpp"
#include "schemes/minimal_adaptive.hpp"
#include "schemes/shortest_path.hpp"
#include "schemes/thinned.hpp"
#include "schemes/up_down.hpp"
#include "schemes/up_down_tree.hpp"
#include "schemes/up_down_ways.hpp"
#include "schemes/valiant.hpp"

#include "ebb/core/find_named.hpp"
#include "ebb/routing/scheme.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::routing {

bool Scheme::supports(std::string_view family) const {
  return families.empty() || std::find(families.begin(), families.end(), family) != families.end();
}

// One line per scheme, so that adding one changes one line.
std::span<const Scheme> schemes() {
  // clang-format off
  static const std::vector<Scheme> kSchemes = {
      minimal_adaptive::scheme(),
      dimension_order::scheme(),
      thinned::mesh(),
      thinned::torus(),
      thinned::star(),
      minimal::scheme(),
      valiant::scheme(),
      ugal::scheme(),
      piggyback::scheme(),
      conditional::scheme(),
      up_down::scheme(),
      shortest_path::scheme(),
      up_down_tree::scheme(),
      up_down_ways::scheme(),
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
  if (Errors errors = topology::check(graph); !errors.empty()) return fail(std::move(errors));
  if (!(*scheme)->families.empty()) {
    if (auto same = check_origin(graph); !same) return fail(same.error());
  }
  return (*scheme)->make(graph);
}

}  // namespace ebb::routing
