// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly: g groups of a switches, fully connected inside, with p hosts and h global ports per
// switch.
//
// Global wiring is the palm tree: the groups form a circle, and port j (0 .. a*h-1) of a group sits
// on its switch j/h. Ports are dealt out in cycles of g-1. Port x of a cycle leads to the group
// x+1 places back on the circle, and meets port g-2-x of the same cycle there. One cycle joins
// every pair of groups once.
//
// Fewer groups than the a*h+1 that one cycle can join leave ports for further cycles, which add
// parallel links between groups (`fill=1`, the default; `fill=0` stops after the first cycle). The
// last cycle may have room for only r < g-1 ports. It then uses the r nearest distances that come
// in pairs d and g-d (both ends of a link must have a port for it), and g/2, which is its own
// partner, when g is even and r odd. With both odd one port stays free. In distances ascending,
// port x meets port size-1-x again, so all cycles follow one rule.
//
// Turning the circle of groups maps the network onto itself.
//
// Numbering. Switch a*i+s is switch s of group i; hosts p*s .. p*s+p-1 are those of switch s. Ports
// of a switch: hosts, the rest of the group ascending, then global links cycle by cycle, those to
// near groups first.

#include "families.hpp"
#include "families/dragonfly_shape.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace ebb::topology::dragonfly {
namespace {

ParameterTexts shape(std::int64_t p, std::int64_t a, std::int64_t h, std::int64_t g) {
  return {{"p", std::to_string(p)},
          {"a", std::to_string(a)},
          {"h", std::to_string(h)},
          {"g", std::to_string(g)}};
}

std::int64_t groups_for(const Demand& demand, std::int64_t p, std::int64_t a) {
  return std::max<std::int64_t>(2, (demand.hosts + a * p - 1) / (a * p));
}

double load(const Shape& shape);

Result<Shape> shape_of(const Parameters& parameters) {
  return dragonfly::shape_of(parameters, parameters.integer("p"), parameters.integer("a"), "a");
}

// Ports and load alone, which most candidates of a search fail: all properties take the search for
// a diameter, too long for the thousands of shapes that switches of hundreds of ports allow.
bool could_meet(const Demand& demand, const ParameterTexts& candidate) {
  const auto parameters = Parameters::resolve((*find_family("dragonfly"))->parameters, candidate);
  if (!parameters) return false;
  const auto shape = shape_of(*parameters);
  return shape &&
         shape->p + shape->a - 1 + std::min(shape->h, shape->global_ports()) <= demand.ports &&
         load(*shape) <= demand.oversubscription.to_double();
}

bool meets(const Demand& demand, const ParameterTexts& candidate) {
  if (!could_meet(demand, candidate)) return false;
  const auto known = topology::properties("dragonfly", candidate);
  return known && known->switch_ports <= demand.ports &&
         known->oversubscription <= demand.oversubscription.to_double();
}

// The fewest global ports per switch that join all groups and carry the traffic.
std::optional<ParameterTexts> with_fewest_links(const Demand& demand, std::int64_t p,
                                                std::int64_t a) {
  const std::int64_t g = groups_for(demand, p, a);
  for (std::int64_t h = (g - 1 + a - 1) / a; p + a - 1 + h <= demand.ports; ++h) {
    auto candidate = shape(p, a, h, g);
    if (meets(demand, candidate)) return candidate;
  }
  return std::nullopt;
}

std::optional<ParameterTexts> fewest_switches(const Demand& demand) {
  std::optional<ParameterTexts> best;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t p = demand.ports; p >= 1; --p) {
    for (std::int64_t a = 1; p + a <= demand.ports; ++a) {
      const std::int64_t switches = a * groups_for(demand, p, a);
      if (switches >= fewest) continue;
      auto candidate = with_fewest_links(demand, p, a);
      if (!candidate) continue;
      fewest = switches;
      best = std::move(candidate);
    }
  }
  return best;
}

// p : a : h = 1 : 2 : 1 keeps local and global channels equally loaded ("Technology-Driven,
// Highly-Scalable Dragonfly Topology", section 3); p grows with the oversubscription allowed.
std::optional<ParameterTexts> balanced(const Demand& demand) {
  const Ratio& o = demand.oversubscription;
  for (std::int64_t h = demand.ports / 2; h >= 1; --h) {
    const std::int64_t a = 2 * h;
    const std::int64_t p = std::max<std::int64_t>(1, h * o.num() / o.den());
    if (p + a - 1 + h > demand.ports) continue;
    const std::int64_t g = groups_for(demand, p, a);
    if (g > a * h + 1) return std::nullopt;  // smaller h only gets smaller networks
    auto candidate = shape(p, a, h, g);
    if (meets(demand, candidate)) return candidate;
  }
  return std::nullopt;
}

// The Dragonfly with the fewest switches for a demand, and the balanced one (a = 2p = 2h).
std::vector<ParameterTexts> designs(const Demand& demand) {
  std::vector<ParameterTexts> found;
  for (auto& candidate : {balanced(demand), fewest_switches(demand)}) {
    if (candidate && std::find(found.begin(), found.end(), *candidate) == found.end())
      found.push_back(*candidate);
  }
  return found;
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

Result<Properties> properties(const Parameters& parameters) {
  const auto shape = shape_of(parameters);
  if (!shape) return fail(shape.error());
  Properties known;
  known.switches = product({shape->a, shape->g});
  known.hosts = product({known.switches, shape->p});
  // One of g and global_ports() is even: both odd would need an odd number of global link ends.
  const std::int64_t ends = product({shape->g, shape->global_ports()});
  const std::int64_t local = shape->a * (shape->a - 1) / 2;
  known.links = sum({known.hosts, ends / 2, product({shape->g, local})});
  known.switch_ports = shape->p + shape->a - 1 + std::min(shape->h, shape->global_ports());
  known.diameter = diameter(*shape);
  known.bisection_links = shape->bisection();
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

Graph build(const Parameters& parameters, RateTable rate_table) {
  const Shape shape = shape_of(parameters).value();
  const Properties known = properties(parameters).value();
  const auto hosts = static_cast<std::uint32_t>(known.hosts);
  GraphBuilder builder(static_cast<std::uint32_t>(known.switches), hosts, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  attach_hosts(builder, hosts, static_cast<std::uint32_t>(shape.p));
  join_inside(builder, shape);
  join_groups(builder, shape, shape.a, 0);
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
          .properties = properties,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::dragonfly
