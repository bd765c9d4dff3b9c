// SPDX-License-Identifier: Apache-2.0
//
// Irregular: a random connected graph in which every switch has `degree` links to others. When
// switches x degree is odd, one switch has one less. No switch is joined to itself, and parallel
// links appear only when there are fewer than `degree` other switches; every pair then has the same
// number of links, give or take one.
//
// The same seed gives the same graph on every machine. Hosts c*s .. c*s+c-1 are those of switch s.

#include "families.hpp"
#include "families/random_regular.hpp"

#include "ebb/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ebb::topology::irregular {
namespace {

// Mean links from a switch to all n, itself included, if every new link led to a new switch: no
// graph of this degree is closer (the Moore bound).
double least_mean_distance(std::int64_t n, std::int64_t degree) {
  double total = 0;
  std::int64_t left = n - 1;
  std::int64_t ring = degree;
  for (int hops = 1; left > 0; ++hops) {
    const std::int64_t reached = std::min(left, ring);
    total += static_cast<double>(reached) * hops;
    left -= reached;
    ring = product({ring, std::max<std::int64_t>(degree - 1, 1)});
  }
  return total / static_cast<double>(n);
}

Result<Properties> properties(const Parameters& parameters) {
  const std::int64_t n = parameters.integer("switches");
  const std::int64_t c = parameters.integer("hosts");
  const std::int64_t degree = parameters.integer("degree");
  if (degree < 2 && n > 2) {
    return fail(
        fmt::format("{} switches of degree 1 cannot be connected; give 'degree' 2 or more", n),
        {.path = "degree"});
  }
  Properties known;
  known.switches = n;
  known.hosts = product({n, c});
  known.links = sum({known.hosts, product({n, degree}) / 2});
  known.switch_ports = c + degree;
  known.diameter = degree >= n - 1 ? 1 : 0;
  known.bisection_rule = "no closed form";
  // A bound: what no graph of this degree can beat.
  known.oversubscription =
      static_cast<double>(c) * least_mean_distance(n, degree) / static_cast<double>(degree);
  known.access_switches_per_group = n;
  known.hosts_per_access_switch = c;
  return known;
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const auto n = static_cast<std::uint32_t>(parameters.integer("switches"));
  const auto c = static_cast<std::uint32_t>(parameters.integer("hosts"));
  const auto degree = static_cast<std::uint32_t>(parameters.integer("degree"));
  RandomStream random(static_cast<std::uint64_t>(parameters.integer("seed")), "topology/irregular");
  GraphBuilder builder(n, n * c, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(properties(parameters)->links));
  attach_hosts(builder, n * c, c);
  // Whole rounds of all pairs, then a simple graph for the rest of the degree.
  const std::uint32_t rounds = degree / (n - 1);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t s = 0; s < n; ++s) {
      for (std::uint32_t t = s + 1; t < n; ++t)
        builder.connect(builder.switch_node(s), builder.switch_node(t));
    }
  }
  const auto edges = rounds == 0 ? random_regular::connected_graph(n, degree, random)
                                 : random_regular::simple_graph(n, degree % (n - 1), random);
  for (const auto& [s, t] : edges) builder.connect(builder.switch_node(s), builder.switch_node(t));
  return std::move(builder).build({"irregular", parameters.texts()});
}

}  // namespace

Family family() {
  return {
      .name = "irregular",
      .summary = "random connected graph of equal degrees",
      .parameters = {{"switches", Range<std::int64_t>{2, 16'000'000}, std::nullopt,
                      "number of switches"},
                     {"degree", Range<std::int64_t>{1, 100'000}, std::nullopt,
                      "links of a switch to other switches"},
                     {"hosts", Range<std::int64_t>{1, 100'000}, std::nullopt, "hosts per switch"},
                     {"seed", Range<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}, "1",
                      "of the random choices"}},
      .properties = properties,
      .build = build};
}

}  // namespace ebb::topology::irregular
