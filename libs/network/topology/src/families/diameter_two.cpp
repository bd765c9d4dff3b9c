// SPDX-License-Identifier: Apache-2.0
#include "families/diameter_two.hpp"

#include "families/galois_field.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::topology::diameter_two {
namespace {

// A slim-fly of this order has 8 million switches; ebb holds fewer links than that would need.
constexpr std::int64_t kMostOrder = 2'000;

// Uniform traffic on shortest paths, spread evenly over the links between switches. A switch is
// joined to its neighbours and two links away from all others, so the distances from all switches
// to all others add up to 2 n (n - 1) less one for each end of a link. A switch sends p / n of its
// traffic to each.
double load(const Structure& structure, std::int64_t p) {
  const auto n = static_cast<double>(structure.switches);
  const auto ends = static_cast<double>(structure.ends);
  return static_cast<double>(p) * (2 * n * (n - 1) - ends) / (n * ends);
}

// The most hosts per switch that ports and traffic allow.
std::int64_t most_hosts(const Demand& demand, const Structure& structure) {
  const double allowed = demand.oversubscription.to_double();
  std::int64_t p = demand.ports - structure.degree;
  while (p > 0 && load(structure, p) > allowed) --p;
  return p;
}

}  // namespace

std::vector<Parameter> parameters() {
  return {{"q", Range<std::int64_t>{2, kMostOrder}, std::nullopt,
           "order of the finite field, a prime power"},
          {"p", Range<std::int64_t>{0, 100'000}, "0",
           "hosts per switch; 0 is half of the links to other switches, rounded up"}};
}

Result<void> check_order(std::int64_t q) {
  if (prime_power(q)) return {};
  std::int64_t below = q - 1;
  std::int64_t above = q + 1;
  while (!prime_power(below)) --below;
  while (!prime_power(above)) ++above;
  return fail(
      fmt::format("'q' must be a prime power, got {}; the nearest are {} and {}", q, below, above),
      {.path = "q"});
}

std::int64_t hosts_per_switch(const Parameters& parameters, const Structure& structure) {
  const std::int64_t p = parameters.integer("p");
  return p == 0 ? ceil_div(structure.degree, 2) : p;
}

Properties properties(const Parameters& parameters, const Structure& structure) {
  const std::int64_t p = hosts_per_switch(parameters, structure);
  Properties known;
  known.switches = structure.switches;
  known.hosts = product({structure.switches, p});
  known.links = sum({known.hosts, structure.ends / 2});
  known.switch_ports = p + structure.degree;
  known.diameter = 2;
  known.oversubscription = load(structure, p);
  known.access_switches_per_group = structure.switches;
  known.hosts_per_access_switch = p;
  return known;
}

std::vector<ParameterTexts> designs(const Demand& demand, StructureOf structure_of) {
  for (std::int64_t q = 2; q <= std::min(kMostOrder, demand.ports); ++q) {
    const auto structure = structure_of(q);
    if (!structure) continue;
    const std::int64_t p = ceil_div(demand.hosts, structure->switches);
    if (p <= most_hosts(demand, *structure))
      return {{{"q", std::to_string(q)}, {"p", std::to_string(p)}}};
  }
  return {};
}

}  // namespace ebb::topology::diameter_two
