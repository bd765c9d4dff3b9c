// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly+ (also Megafly): g groups, each a leaf-spine network of its own. Every leaf has p hosts
// and a link to every spine of its group; every spine has h global ports. After "Dragonfly+: Low
// Cost Topology for Scaling Datacenters" (Shpiner et al., HiPINEB 2017).
//
// Global wiring is the palm tree of dragonfly.cpp, with spines in the place of its switches: port j
// of a group sits on its spine j/h, and spare ports add parallel links unless fill=0.
//
// Turning the circle of groups maps the network onto itself, and so does exchanging two leaves of a
// group: all leaves are alike. Hosts of one group are two links apart and those of two groups
// three, over a spine at each end of a global link.
//
// Numbering. With l leaves and s spines per group, switches (l+s)*i .. (l+s)*i + l-1 are the leaves
// of group i, and the s after them its spines. Hosts p*l*i .. p*l*i + p*l-1 are those of group i,
// the first p on its first leaf. Ports of a leaf: hosts, spines ascending. Ports of a spine: leaves
// ascending, then global links cycle by cycle.

#include "families.hpp"
#include "families/dragonfly_shape.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace ebb::topology::dragonfly_plus {
namespace {

using dragonfly::Shape;

struct Group {
  std::int64_t leaves = 0;
  Shape shape;  // of the hosts of a leaf and of the spines

  [[nodiscard]] std::int64_t spines() const { return shape.a; }
  [[nodiscard]] std::int64_t switches() const { return leaves + shape.a; }
};

Result<Group> group_of(const Parameters& parameters) {
  const auto shape = dragonfly::shape_of(parameters, parameters.integer("p"),
                                         parameters.integer("spines"), "spines");
  if (!shape) return fail(shape.error());
  return Group{parameters.integer("leaves"), *shape};
}

// Uniform traffic, minimal routing, spread evenly over the links of a kind. Global link: the hosts
// of a group send (g-1)/g of their traffic over its global ports. Uplink: a leaf sends all but what
// stays on it. A last cycle that is not complete makes some pairs of groups better joined than
// others, which this mean does not see.
double load(const Group& group) {
  const auto p = static_cast<double>(group.shape.p);
  const auto leaves = static_cast<double>(group.leaves);
  const auto g = static_cast<double>(group.shape.g);
  const double global = leaves * p * (g - 1) / g / static_cast<double>(group.shape.global_ports());
  const double up = p * (1 - 1 / (leaves * g)) / static_cast<double>(group.spines());
  return std::max(global, up);
}

Result<Properties> properties(const Parameters& parameters) {
  const auto group = group_of(parameters);
  if (!group) return fail(group.error());
  const Shape& shape = group->shape;
  Properties known;
  known.switches = product({group->switches(), shape.g});
  known.hosts = product({group->leaves, shape.g, shape.p});
  // One of g and global_ports() is even: both odd would need an odd number of global link ends.
  const std::int64_t ends = product({shape.g, shape.global_ports()});
  known.links = sum({known.hosts, ends / 2, product({shape.g, group->leaves, group->spines()})});
  known.switch_ports =
      std::max(shape.p + group->spines(), group->leaves + std::min(shape.h, shape.global_ports()));
  known.diameter = 3;
  known.bisection_links = shape.bisection();
  known.bisection_rule = "links between floor(g/2) consecutive groups and the rest";
  known.oversubscription = load(*group);
  // Addresses count leaves through the whole network; tables have no rules for groups.
  known.access_switches_per_group = product({group->leaves, shape.g});
  known.hosts_per_access_switch = shape.p;
  return known;
}

void join_inside(GraphBuilder& builder, const Group& group) {
  const auto hosts = static_cast<std::uint32_t>(group.shape.p);
  const auto leaves = static_cast<std::uint32_t>(group.leaves);
  const auto size = static_cast<std::uint32_t>(group.switches());
  const auto groups = static_cast<std::uint32_t>(group.shape.g);
  for (std::uint32_t leaf = 0; leaf < leaves * groups; ++leaf) {
    const std::uint32_t first = leaf / leaves * size;
    const NodeId at = builder.switch_node(first + leaf % leaves);
    for (std::uint32_t h = 0; h < hosts; ++h)
      builder.connect(builder.host_node(leaf * hosts + h), at);
    for (std::uint32_t spine = first + leaves; spine < first + size; ++spine)
      builder.connect(at, builder.switch_node(spine));
  }
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const Group group = group_of(parameters).value();
  const Properties known = properties(parameters).value();
  GraphBuilder builder(static_cast<std::uint32_t>(known.switches),
                       static_cast<std::uint32_t>(known.hosts), {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  join_inside(builder, group);
  join_groups(builder, group.shape, group.switches(), group.leaves);
  return std::move(builder).build({"dragonfly-plus", parameters.texts()});
}

std::vector<Orbit> orbits(const Parameters& parameters) {
  const Group group = group_of(parameters).value();
  return {{0, static_cast<std::uint64_t>(group.leaves * group.shape.g)}};
}

// What a search for a shape decides first; the rest follows from the demand.
struct Leaves {
  std::int64_t p = 0;
  std::int64_t leaves = 0;
  std::int64_t spines = 0;

  [[nodiscard]] std::int64_t groups(const Demand& demand) const {
    return std::max<std::int64_t>(2, ceil_div(demand.hosts, leaves * p));
  }
};

bool meets(const Demand& demand, const ParameterTexts& candidate) {
  const auto known = topology::properties("dragonfly-plus", candidate);
  return known && known->switch_ports <= demand.ports &&
         known->oversubscription <= demand.oversubscription.to_double();
}

// The fewest global ports per spine that join all groups and carry the traffic.
std::optional<ParameterTexts> with_fewest_links(const Demand& demand, const Leaves& group) {
  const Ratio& o = demand.oversubscription;
  const std::int64_t g = group.groups(demand);
  const std::int64_t carried =
      ceil_div(group.leaves * group.p * (g - 1) * o.den(), g * group.spines * o.num());
  // An odd number of global ports leaves one of them free in an odd number of groups.
  const std::int64_t least = std::max(ceil_div(g - 1, group.spines), carried);
  for (std::int64_t h = least; h <= least + 1 && group.leaves + h <= demand.ports; ++h) {
    ParameterTexts candidate = {{"p", std::to_string(group.p)},
                                {"leaves", std::to_string(group.leaves)},
                                {"spines", std::to_string(group.spines)},
                                {"h", std::to_string(h)},
                                {"g", std::to_string(g)}};
    if (meets(demand, candidate)) return candidate;
  }
  return std::nullopt;
}

// As many spines as carry what the hosts of a leaf send.
std::optional<ParameterTexts> fewest_switches(const Demand& demand) {
  const Ratio& o = demand.oversubscription;
  std::optional<ParameterTexts> best;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t p = demand.ports - 1; p >= 1; --p) {
    const std::int64_t spines = ceil_div(p * o.den(), o.num());
    if (p + spines > demand.ports) continue;
    for (std::int64_t leaves = 1; leaves < demand.ports; ++leaves) {
      const Leaves group{p, leaves, spines};
      const std::int64_t switches = (leaves + spines) * group.groups(demand);
      if (switches >= fewest) continue;
      auto candidate = with_fewest_links(demand, group);
      if (!candidate) continue;
      fewest = switches;
      best = std::move(candidate);
    }
  }
  return best;
}

// The shape of the paper: half of the ports of a leaf and of a spine lead down.
std::optional<ParameterTexts> halves(const Demand& demand) {
  const std::int64_t half = demand.ports / 2;
  return half == 0 ? std::nullopt : with_fewest_links(demand, {half, half, half});
}

std::vector<ParameterTexts> designs(const Demand& demand) {
  std::vector<ParameterTexts> found;
  for (auto& candidate : {halves(demand), fewest_switches(demand)}) {
    if (candidate && std::find(found.begin(), found.end(), *candidate) == found.end())
      found.push_back(*candidate);
  }
  return found;
}

}  // namespace

Family family() {
  return {
      .name = "dragonfly-plus",
      .aliases = {{"megafly"}},
      .summary = "Dragonfly+: groups of leaves and spines, joined by global links at the spines",
      .parameters = {{"p", Range<std::int64_t>{1, 100'000}, std::nullopt, "hosts per leaf"},
                     {"leaves", Range<std::int64_t>{1, 100'000}, std::nullopt, "leaves per group"},
                     {"spines", Range<std::int64_t>{1, 100'000}, std::nullopt, "spines per group"},
                     {"h", Range<std::int64_t>{1, 100'000}, std::nullopt, "global ports per spine"},
                     {"g", Range<std::int64_t>{0, 10'000'000'001}, "0",
                      "groups; 0 is the most, spines*h+1"},
                     {"fill", Range<std::int64_t>{0, 1}, "1",
                      "1: spare global ports add parallel links between groups"}},
      .properties = properties,
      .build = build,
      .orbits = orbits,
      .designs = designs};
}

}  // namespace ebb::topology::dragonfly_plus
