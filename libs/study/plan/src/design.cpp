// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/design.hpp"

#include "ebb/plan/power.hpp"
#include "ebb/plan/wall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace ebb::plan {
namespace {

// The rate of a plan is that of a host; its interfaces have a share each, and so have all links.
Inputs of_links(const Inputs& inputs, std::int64_t interfaces) {
  Inputs links = inputs;
  links.rate = scale(inputs.rate, Ratio(1, interfaces));
  return links;
}

DataRate bisection_of(const topology::Properties& properties, const Inputs& links) {
  const std::int64_t cut = 2 * properties.bisection_links;
  return links.rate * std::min(cut, links.hosts * properties.interfaces / 2);
}

// What a part costs by itself, if it is named and has a price.
std::optional<Money> price_of(const std::optional<std::string>& name,
                              const power::Library& library) {
  if (!name) return std::nullopt;
  const auto part = library.find(*name);
  if (!part || !(*part)->price) return std::nullopt;
  return (*part)->price->value;
}

std::optional<Money> price_of_cable(const std::optional<Money>& given,
                                    const std::optional<std::string>& module,
                                    const power::Library& library) {
  if (given) return given;
  const auto end = price_of(module, library);
  return end ? std::optional(*end * 2) : std::nullopt;
}

std::optional<Money> purchase_of(const PartsCount& parts, const Inputs& inputs,
                                 const power::Library& library) {
  const Prices& prices = inputs.prices;
  const auto of_part = price_of(inputs.parts.switch_part, library);
  const auto part = library.find(inputs.parts.switch_part);
  const bool is_chip = part && std::holds_alternative<power::Chip>((*part)->body);
  const std::pair<std::optional<Money>, std::int64_t> all[] = {
      {prices.switch_box, parts.boxes},
      {prices.switch_box ? std::nullopt : of_part, is_chip ? parts.chips : parts.boxes},
      {prices.nic ? prices.nic : price_of(inputs.parts.nic, library), parts.hosts},
      {price_of(inputs.parts.circuit_switch, library), parts.circuit_switches},
      {price_of_cable(prices.electrical_cable, inputs.parts.electrical, library),
       parts.electrical_links},
      {price_of_cable(prices.optical_cable, inputs.parts.optical, library), parts.optical_links}};
  std::optional<Money> sum;
  for (const auto& [each, count] : all) {
    if (each) sum = sum.value_or(Money{}) + *each * count;
  }
  return sum;
}

Result<void> check_fit(const Candidate& candidate, const topology::Properties& properties,
                       const Inputs& inputs, std::int64_t ports) {
  const topology::Properties* known = &properties;
  if (known->hosts < inputs.hosts) {
    return fail(fmt::format("design '{}' holds {} hosts, fewer than the {} planned", candidate.name,
                            known->hosts, inputs.hosts));
  }
  if (known->switch_ports > ports) {
    return fail(fmt::format("design '{}' needs {} ports per switch; {} has {}", candidate.name,
                            known->switch_ports, inputs.parts.switch_part, ports));
  }
  return {};
}

// Of circuit switches that the plan names.
Result<void> check_circuit_switch(const topology::Properties& properties, const Inputs& inputs,
                                  const power::Library& library) {
  if (!inputs.parts.circuit_switch || properties.circuit_switches == 0) return {};
  const auto box = library.find_as<power::Box>(*inputs.parts.circuit_switch);
  if (!box) return fail(box.error());
  if (properties.circuit_switch_ports <= (*box)->ports) return {};
  return fail(fmt::format("circuit switches need {} ports; {} has {}",
                          properties.circuit_switch_ports, *inputs.parts.circuit_switch,
                          (*box)->ports));
}

}  // namespace

double Design::watts_per_gigabit() const {
  return to_watts(watts.idle) / (static_cast<double>(bisection.count()) * 1e-9);
}

double Design::cut_per_host() const {
  return 2 * static_cast<double>(properties.bisection_links) /
         static_cast<double>(properties.hosts * properties.interfaces);
}

const routing::WorstCase* Design::worst_case() const {
  const routing::WorstCase* best = worst_case(routing::Paths::minimal);
  const routing::WorstCase* other = worst_case(routing::Paths::non_minimal);
  return best == nullptr || (other != nullptr && other->capacity > best->capacity) ? other : best;
}

double Design::watts_per_gigabit(const routing::WorstCase& worst) const {
  return to_watts(watts.at_load) /
         (static_cast<double>(host_links.count()) * 1e-9 * worst.capacity);
}

Result<Design> price(const Candidate& candidate, const topology::Properties& properties,
                     const PartsCount& parts, const Inputs& inputs, const power::Library& library) {
  const Inputs links = of_links(inputs, properties.interfaces);
  const auto watts = network_power(parts, links, library);
  if (!watts) return fail(watts.error());
  const auto wall = wall_power(parts, links, *watts, library);
  if (!wall) return fail(wall.error());
  const auto breakdown = power_breakdown(parts, links, library);
  if (!breakdown) return fail(breakdown.error());
  Design design{.candidate = candidate,
                .properties = properties,
                .parts = parts,
                .watts = *watts,
                .wall = *wall,
                .breakdown = *breakdown};
  design.bisection = bisection_of(properties, links);
  design.host_links = inputs.rate * parts.hosts;
  design.rules = count_rules(properties);
  design.energy_cost = energy_cost(design.paid(), inputs.tariff);
  design.purchase = purchase_of(parts, inputs, library);
  design.not_counted = not_counted(parts, links, library);
  return design;
}

Result<Design> evaluate(const Candidate& candidate, const Inputs& inputs,
                        const power::Library& library) {
  const auto properties = topology::properties(candidate.family, candidate.parameters);
  if (!properties) return fail(properties.error());
  const Inputs links = of_links(inputs, properties->interfaces);
  const auto offer = switch_offer(links, library);
  if (!offer) return fail(offer.error());
  const auto fits = check_fit(candidate, *properties, inputs, offer->ports);
  if (!fits) return fail(fits.error());
  if (const auto enough = check_circuit_switch(*properties, inputs, library); !enough)
    return fail(enough.error());
  auto graph = topology::build(candidate.family, candidate.parameters, {links.rate});
  if (!graph) return fail(graph.error());
  const auto placed = topology::place_cables(*graph, inputs.floor);
  if (!placed) return fail(placed.error());
  PartsCount parts = count_parts(*graph, inputs.hosts, offer->ports);
  parts.racks = *placed;
  parts.circuit_switches = properties->circuit_switches;
  if (inputs.tables) {
    const auto tables = count_tables(*graph, inputs.tables->detail);
    if (!tables) return fail(tables.error());
    parts.tables = *tables;
  }
  if (const auto fed = check_supply(parts, links, library); !fed) return fail(fed.error());
  auto design = price(candidate, *properties, parts, inputs, library);
  auto worst = routing::worst_cases(candidate.family, candidate.parameters);
  if (!worst) return fail(worst.error());
  if (design) design->worst_cases = std::move(*worst);
  return design;
}

namespace {

// In microwatts per Gb/s; designs whose worst case is not known come last.
std::int64_t worst_case_key(const Design& design, const routing::WorstCase* worst) {
  if (worst == nullptr) return std::numeric_limits<std::int64_t>::max();
  return std::llround(1e6 * design.watts_per_gigabit(*worst));
}

}  // namespace

void rank(std::vector<Design>& designs, RankBy by) {
  const auto key = [by](const Design& d) -> std::int64_t {
    switch (by) {
      case RankBy::watts:
        return d.paid().count();
      case RankBy::cost:
        return d.total_cost().count();
      case RankBy::switches:
        return d.parts.chips;
      case RankBy::optical:
        return d.parts.optical_links;
      case RankBy::worst_case:
        return worst_case_key(d, d.worst_case());
      case RankBy::worst_case_minimal:
        return worst_case_key(d, d.worst_case(routing::Paths::minimal));
    }
    return 0;
  };
  std::sort(designs.begin(), designs.end(), [&](const Design& a, const Design& b) {
    return std::tuple(key(a), a.parts.chips, a.candidate.name) <
           std::tuple(key(b), b.parts.chips, b.candidate.name);
  });
}

namespace {

bool meets(const topology::Properties& properties, const topology::Demand& demand) {
  return properties.hosts >= demand.hosts && properties.switch_ports <= demand.ports &&
         properties.oversubscription <= demand.oversubscription.to_double();
}

// "fbfly 15x15x15x6 hosts=15 parallel=1x1x1x3": the parameters that tell designs apart.
std::string name_of(const topology::Family& family, const ParameterTexts& parameters) {
  std::string name = family.name;
  for (const auto& [key, value] : parameters) name += fmt::format(" {}={}", key, value);
  return name;
}

// Chips that live in a chassis only exist as chips.
bool usable(const topology::Family& family, const SwitchOffer& offer) {
  return family.designs != nullptr && (offer.is_chip || family.name != "clos_chassis");
}

}  // namespace

Result<std::vector<Design>> propose(const Inputs& inputs, const power::Library& library) {
  const auto offer = switch_offer(of_links(inputs, inputs.planes), library);
  if (!offer) return fail(offer.error());
  const topology::Demand demand{inputs.hosts, offer->ports, inputs.oversubscription};
  std::vector<Design> designs;
  for (const topology::Family& family : topology::families()) {
    if (!usable(family, *offer)) continue;
    for (auto& parameters : family.designs(demand)) {
      if (inputs.planes > 1)
        parameters.emplace_back(topology::planes_parameter().name, std::to_string(inputs.planes));
      const auto known = topology::properties(family.name, parameters);
      if (!known || !meets(*known, demand)) continue;
      auto design =
          evaluate({name_of(family, parameters), family.name, parameters}, inputs, library);
      if (!design) return fail(design.error());
      designs.push_back(std::move(*design));
    }
  }
  return designs;
}

}  // namespace ebb::plan
