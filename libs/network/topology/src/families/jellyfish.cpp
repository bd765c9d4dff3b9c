// SPDX-License-Identifier: Apache-2.0
//
// Jellyfish: a random regular graph of top-of-rack switches as in "Jellyfish: Networking Data
// Centers Randomly" (Singla et al., NSDI 2012). Each switch of `ports` ports has `degree` links to
// other switches and a host on every other port: RRG(switches, ports, degree) of that paper. It
// differs from `irregular` in that the ports of a switch are given, not its hosts, and that no
// links are parallel. When switches x degree is odd, one switch has one link less.
//
// The same seed gives the same graph on every machine. With c = ports - degree, hosts c*s ..
// c*s+c-1 are those of switch s.

#include "families.hpp"
#include "families/random_regular.hpp"

#include "ebb/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ebb::topology::jellyfish {
namespace {

constexpr std::int64_t kLeastDegree = 3;

// Mean links from a switch to all n, itself included, as expected of a random regular graph. A
// search from a switch has found all but `left` of the others, and `open` ends of links of the
// switches found last are not joined yet. Each is joined to an open end or to one of the
// left * degree ends of the others with equal chances; a switch whose ends all miss the open ends
// stays unfound.
double mean_distance(std::int64_t n, std::int64_t degree) {
  const auto r = static_cast<double>(degree);
  double left = static_cast<double>(n - 1 - degree);
  double open = r * (r - 1);
  double total = static_cast<double>(n - 1);
  constexpr double kNone = 1e-9;
  while (left > kNone && open > kNone) {
    total += left;
    const double hit = open / (open + left * r);
    const double found = left * -std::expm1(r * std::log1p(-hit));
    open = std::max(0.0, found * r - left * r * hit);
    left -= found;
  }
  return total / static_cast<double>(n);
}

// Uniform traffic on shortest paths, spread evenly over the links.
double load(std::int64_t n, std::int64_t hosts, std::int64_t degree) {
  return static_cast<double>(hosts) * mean_distance(n, degree) / static_cast<double>(degree);
}

Result<Properties> properties(const Parameters& parameters) {
  const std::int64_t n = parameters.integer("switches");
  const std::int64_t ports = parameters.integer("ports");
  const std::int64_t degree = parameters.integer("degree");
  const std::int64_t most = std::min(n, ports) - 1;
  if (degree > most) {
    return fail(fmt::format("'degree' must be between {} and {}, for a switch has {} ports, one of "
                            "them for a host, and {} others to be joined to; got {}",
                            kLeastDegree, most, ports, n - 1, degree),
                {.path = "degree"});
  }
  const std::int64_t c = ports - degree;
  Properties known;
  known.switches = n;
  known.hosts = product({n, c});
  known.links = sum({known.hosts, product({n, degree}) / 2});
  known.switch_ports = ports;
  known.diameter = degree == n - 1 ? 1 : 0;
  known.bisection_rule = "no closed form";
  known.oversubscription = load(n, c, degree);
  known.access_switches_per_group = n;
  known.hosts_per_access_switch = c;
  return known;
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const Properties known = properties(parameters).value();
  const auto n = static_cast<std::uint32_t>(known.switches);
  const auto hosts = static_cast<std::uint32_t>(known.hosts);
  const auto degree = static_cast<std::uint32_t>(parameters.integer("degree"));
  RandomStream random(static_cast<std::uint64_t>(parameters.integer("seed")), "topology/jellyfish");
  GraphBuilder builder(n, hosts, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  attach_hosts(builder, hosts, static_cast<std::uint32_t>(known.hosts_per_access_switch));
  for (const auto& [s, t] : random_regular::connected_graph(n, degree, random))
    builder.connect(builder.switch_node(s), builder.switch_node(t));
  return std::move(builder).build({"jellyfish", parameters.texts()});
}

// The fewest switches: as many hosts on each as leave enough links.
std::vector<ParameterTexts> designs(const Demand& demand) {
  for (std::int64_t c = demand.ports - kLeastDegree; c >= 1; --c) {
    const std::int64_t n = ceil_div(demand.hosts, c);
    const std::int64_t degree = std::min(demand.ports - c, n - 1);
    if (degree < kLeastDegree || load(n, c, degree) > demand.oversubscription.to_double()) continue;
    return {{{"switches", std::to_string(n)},
             {"ports", std::to_string(c + degree)},
             {"degree", std::to_string(degree)}}};
  }
  return {};
}

}  // namespace

Family family() {
  return {
      .name = "jellyfish",
      .summary = "Jellyfish: a random regular graph of switches, hosts on their other ports",
      .parameters = {{"switches", Range<std::int64_t>{4, 16'000'000}, std::nullopt,
                      "number of switches"},
                     {"ports", Range<std::int64_t>{4, 100'000}, std::nullopt, "ports of a switch"},
                     {"degree", Range<std::int64_t>{kLeastDegree, 100'000}, std::nullopt,
                      "links of a switch to other switches; hosts have its other ports"},
                     {"seed", Range<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}, "1",
                      "of the random choices"}},
      .properties = properties,
      .build = build,
      .designs = designs};
}

}  // namespace ebb::topology::jellyfish
