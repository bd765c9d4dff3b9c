// SPDX-License-Identifier: Apache-2.0
//
// Complete graph: every switch is joined to every other by `parallel` links. Ports of a switch: its
// hosts first, then the other switches ascending.

#include "families.hpp"

namespace ebb::topology::complete {
namespace {

Result<Properties> properties(const Parameters& parameters) {
  const std::int64_t n = parameters.integer("switches");
  const std::int64_t c = parameters.integer("hosts");
  const std::int64_t m = parameters.integer("parallel");
  Properties known;
  known.switches = n;
  known.hosts = product({n, c});
  known.links = sum({known.hosts, product({n * (n - 1) / 2, m})});
  known.switch_ports = sum({c, product({n - 1, m})});
  known.diameter = n > 1 ? 1 : 0;
  known.bisection_links = product({n / 2, n - n / 2, m});
  known.bisection_rule = "links between floor(n/2) switches and the rest";
  // Uniform traffic sends 1/n of a switch's c hosts to each other switch, over m links.
  if (n > 1) known.oversubscription = static_cast<double>(c) / static_cast<double>(n * m);
  known.groups = 1;
  known.access_switches_per_group = n;
  known.hosts_per_access_switch = c;
  return known;
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const auto n = static_cast<std::uint32_t>(parameters.integer("switches"));
  const auto c = static_cast<std::uint32_t>(parameters.integer("hosts"));
  const std::int64_t parallel = parameters.integer("parallel");
  GraphBuilder builder(n, n * c, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(properties(parameters)->links));
  attach_hosts(builder, n * c, c);
  for (std::uint32_t s = 0; s < n; ++s) {
    for (std::uint32_t t = s + 1; t < n; ++t) {
      for (std::int64_t m = 0; m < parallel; ++m)
        builder.connect(builder.switch_node(s), builder.switch_node(t));
    }
  }
  return std::move(builder).build({"complete", parameters.texts()});
}

std::vector<Orbit> orbits(const Parameters& parameters) {
  return {{0, static_cast<std::uint64_t>(parameters.integer("switches"))}};
}

}  // namespace

Family family() {
  return {.name = "complete",
          .summary = "every switch joined to every other",
          .parameters =
              {{"switches", Range<std::int64_t>{1, 1'000'000}, std::nullopt, "number of switches"},
               {"hosts", Range<std::int64_t>{1, 100'000}, std::nullopt, "hosts per switch"},
               {"parallel", Range<std::int64_t>{1, 1'000}, "1", "links between two switches"}},
          .properties = properties,
          .build = build,
          .orbits = orbits};
}

}  // namespace ebb::topology::complete
