// SPDX-License-Identifier: Apache-2.0
#include "dragonfly/dragonfly.hpp"

#include "attach_hosts.hpp"
#include "dragonfly/dragonfly_designs.hpp"
#include "dragonfly/shape.hpp"
#include "saturating.hpp"

#include <algorithm>

namespace ebb::topology::dragonfly {
namespace {

// Links between floor(g/2) consecutive groups and the rest. At distance d < g/2 a run of groups
// has d links across each of its two ends; at g/2 every link crosses.
std::int64_t bisection(const Shape& shape) {
  const std::int64_t near = (shape.g - 1) / 2;
  const std::int64_t full = product({shape.cycles, near, near + 1});
  const std::int64_t last = product({shape.near_pairs, shape.near_pairs + 1});
  const std::int64_t opposite = shape.g % 2 == 0 ? shape.cycles + (shape.opposite ? 1 : 0) : 0;
  return sum({full, last, product({opposite, shape.g / 2})});
}

// Uniform traffic, minimal routing, spread evenly over the global links of a group. Global channel:
// the a*p hosts of a group send (g-1)/g of their traffic over its global ports. Local channel from
// s to t: p/(a*g) from host to host inside the group, and twice p(g-1)/(a*g), on the way out to a
// global port of t and on the way in from a global port of s. A last cycle that is not complete
// makes some pairs of groups better joined than others, which this mean does not see.
double load(const Shape& shape) {
  const auto p = static_cast<double>(shape.p);
  const auto a = static_cast<double>(shape.a);
  const auto g = static_cast<double>(shape.g);
  const double global = a * p * (g - 1) / g / static_cast<double>(shape.global_ports());
  const double local = shape.a > 1 ? p * (2 * g - 1) / (a * g) : 0;
  return std::max(global, local);
}

Result<Figures> figures(const Parameters& parameters) {
  const auto shape = shape_of(parameters);
  if (!shape) return fail(shape.error());
  Figures known;
  known.switches = product({shape->a, shape->g});
  known.hosts = product({known.switches, shape->p});
  // One of g and global_ports() is even: both odd would need an odd number of global link ends.
  const std::int64_t ends = product({shape->g, shape->global_ports()});
  const std::int64_t local = shape->a * (shape->a - 1) / 2;
  known.links = sum({known.hosts, ends / 2, product({shape->g, local})});
  known.switch_ports = shape->p + shape->a - 1 + std::min(shape->h, shape->global_ports());
  known.diameter = diameter(*shape);
  known.bisection_links = bisection(*shape);
  known.bisection_rule = "links between floor(g/2) consecutive groups and the rest";
  known.oversubscription = load(*shape);
  known.groups = shape->g;
  known.access_switches_per_group = shape->a;
  known.hosts_per_access_switch = shape->p;
  return known;
}

void join_inside(GraphBuilder& builder, const Shape& shape) {
  const auto a = static_cast<std::uint32_t>(shape.a);
  for (std::uint32_t first = 0; first < a * static_cast<std::uint32_t>(shape.g); first += a) {
    for (std::uint32_t s = first; s < first + a; ++s) {
      for (std::uint32_t t = s + 1; t < first + a; ++t)
        builder.connect(builder.switch_node(s), builder.switch_node(t));
    }
  }
}

// Each link once: from its end with the shorter way round, and for the opposite group from the
// first half of the circle.
void join_groups(GraphBuilder& builder, const Shape& shape) {
  const auto node = [&](std::int64_t group, std::int64_t port) {
    return builder.switch_node(static_cast<std::uint32_t>(group * shape.a + port / shape.h));
  };
  for (std::int64_t port = 0; port < shape.global_ports(); ++port) {
    const std::int64_t distance = shape.distance(port);
    if (2 * distance > shape.g) continue;
    const std::int64_t groups = 2 * distance == shape.g ? shape.g / 2 : shape.g;
    for (std::int64_t i = 0; i < groups; ++i) {
      const std::int64_t other = (i - distance + shape.g) % shape.g;
      builder.connect(node(i, port), node(other, shape.partner(port)));
    }
  }
}

Graph build(const Parameters& parameters, RateLadder ladder) {
  const Shape shape = shape_of(parameters).value();
  const Figures known = figures(parameters).value();
  const auto hosts = static_cast<std::uint32_t>(known.hosts);
  GraphBuilder builder(static_cast<std::uint32_t>(known.switches), hosts, {std::move(ladder)});
  builder.reserve(static_cast<std::size_t>(known.links));
  attach_hosts(builder, hosts, static_cast<std::uint32_t>(shape.p));
  join_inside(builder, shape);
  join_groups(builder, shape);
  return std::move(builder).build({"dragonfly", parameters.texts()});
}

std::vector<Orbit> orbits(const Parameters& parameters) {
  const Shape shape = shape_of(parameters).value();
  std::vector<Orbit> result;
  for (std::int64_t s = 0; s < shape.a; ++s)
    result.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint64_t>(shape.g)});
  return result;
}

}  // namespace

Family family() {
  return {.name = "dragonfly",
          .summary = "fully connected groups, joined by global links in a palm tree",
          .parameters = {{"p", Range<std::int64_t>{1, 100'000}, std::nullopt, "hosts per switch"},
                         {"a", Range<std::int64_t>{1, 100'000}, std::nullopt, "switches per group"},
                         {"h", Range<std::int64_t>{1, 100'000}, std::nullopt,
                          "global ports per switch"},
                         {"g", Range<std::int64_t>{0, 10'000'000'001}, "0",
                          "groups; 0 is the most, a*h+1"},
                         {"fill", Range<std::int64_t>{0, 1}, "1",
                          "1: spare global ports add parallel links between groups"}},
          .figures = figures,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::dragonfly
