// SPDX-License-Identifier: Apache-2.0
//
// The tree of "Performance Evaluation of Power-aware Multi-tree Ethernet for HPC Interconnects":
// switch 0 in the middle, the other switches each joined to it by `parallel` links. All switches
// bear hosts. Ports of a switch: its hosts first, then the other switches ascending.

#include "families.hpp"

#include <algorithm>

namespace ebb::topology::tree {
namespace {

Result<Properties> properties(const Parameters& parameters) {
  const std::int64_t n = parameters.integer("switches");
  const std::int64_t c = parameters.integer("hosts");
  const std::int64_t m = parameters.integer("parallel");
  Properties known;
  known.switches = n;
  known.hosts = product({n, c});
  known.links = sum({known.hosts, product({n - 1, m})});
  known.switch_ports = sum({c, product({n - 1, m})});  // of the middle
  known.diameter = std::min<std::int64_t>(n - 1, 2);
  known.bisection_links = product({n / 2, m});
  known.bisection_rule = "links of the floor(n/2) switches on the side without the middle";
  // A leaf's c hosts send (n-1)/n of their uniform traffic over its m links.
  known.oversubscription =
      static_cast<double>(c) * static_cast<double>(n - 1) / static_cast<double>(n * m);
  known.access_switches_per_group = n;
  known.hosts_per_access_switch = c;
  return known;
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const auto n = static_cast<std::uint32_t>(parameters.integer("switches"));
  const auto c = static_cast<std::uint32_t>(parameters.integer("hosts"));
  const std::int64_t parallel = parameters.integer("parallel");
  GraphBuilder builder(n, n * c, {std::move(rate_table)});
  attach_hosts(builder, n * c, c);
  for (std::uint32_t s = 1; s < n; ++s) {
    for (std::int64_t m = 0; m < parallel; ++m)
      builder.connect(builder.switch_node(0), builder.switch_node(s));
  }
  return std::move(builder).build({"tree", parameters.texts()});
}

// The middle, and the leaves, which are all alike.
std::vector<Orbit> orbits(const Parameters& parameters) {
  const auto n = static_cast<std::uint64_t>(parameters.integer("switches"));
  if (n == 1) return {{0, 1}};
  return {{0, 1}, {1, n - 1}};
}

}  // namespace

Family family() {
  return {
      .name = "tree",
      .summary = "one switch in the middle, the others joined to it",
      .parameters = {{"switches", Range<std::int64_t>{1, 1'000'000}, std::nullopt,
                      "number of switches, the middle included"},
                     {"hosts", Range<std::int64_t>{1, 100'000}, std::nullopt, "hosts per switch"},
                     {"parallel", Range<std::int64_t>{1, 1'000}, "1",
                      "links between the middle and another switch"}},
      .properties = properties,
      .build = build,
      .orbits = orbits};
}

}  // namespace ebb::topology::tree
