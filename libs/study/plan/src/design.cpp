// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/design.hpp"

#include "ebb/plan/energy_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace ebb::plan {
namespace {

DataRate bisection_of(const topology::Figures& figures, const Inputs& inputs) {
  const std::int64_t cut = 2 * figures.bisection_links;
  return inputs.rate * std::min(cut, inputs.hosts / 2);
}

std::optional<Money> purchase_of(const PartsCount& parts, const Prices& prices) {
  if (!prices.any()) return std::nullopt;
  const auto times = [](std::optional<Money> each, std::int64_t n) {
    return each.value_or(Money{}) * n;
  };
  return times(prices.switch_box, parts.boxes) + times(prices.nic, parts.hosts) +
         times(prices.electrical_cable, parts.electrical_links) +
         times(prices.optical_cable, parts.optical_links);
}

Result<topology::Figures> fitting_figures(const Candidate& candidate, const Inputs& inputs,
                                          std::int64_t ports) {
  auto known = topology::figures(candidate.family, candidate.parameters);
  if (!known) return known;
  if (known->hosts < inputs.hosts) {
    return fail(fmt::format("design '{}' holds {} hosts, fewer than the {} planned", candidate.name,
                            known->hosts, inputs.hosts));
  }
  if (known->switch_ports > ports) {
    return fail(fmt::format("design '{}' needs {} ports per switch; {} has {}", candidate.name,
                            known->switch_ports, inputs.parts.switch_part, ports));
  }
  return known;
}

}  // namespace

double Design::watts_per_gigabit() const {
  return to_watts(watts.idle) / (static_cast<double>(bisection.count()) * 1e-9);
}

Result<Design> price(const Candidate& candidate, const topology::Figures& figures,
                     const PartsCount& parts, const Inputs& inputs, const power::Library& library) {
  const auto watts = network_power(parts, inputs, library);
  if (!watts) return fail(watts.error());
  const auto breakdown = power_breakdown(parts, inputs, library);
  if (!breakdown) return fail(breakdown.error());
  Design design{.candidate = candidate,
                .figures = figures,
                .parts = parts,
                .watts = *watts,
                .breakdown = *breakdown};
  design.bisection = bisection_of(figures, inputs);
  design.rules = count_rules(figures);
  design.energy_cost = energy_cost(watts->at_load, inputs.tariff);
  design.purchase = purchase_of(parts, inputs.prices);
  return design;
}

Result<Design> evaluate(const Candidate& candidate, const Inputs& inputs,
                        const power::Library& library) {
  const auto offer = switch_offer(inputs, library);
  if (!offer) return fail(offer.error());
  const auto figures = fitting_figures(candidate, inputs, offer->ports);
  if (!figures) return fail(figures.error());
  auto graph = topology::build(candidate.family, candidate.parameters, {inputs.rate});
  if (!graph) return fail(graph.error());
  if (auto placed = topology::place_cables(*graph, inputs.floor); !placed)
    return fail(placed.error());
  PartsCount parts = count_parts(*graph, inputs.hosts, offer->ports);
  if (inputs.tables) {
    const auto tables = count_tables(*graph, inputs.tables->detail);
    if (!tables) return fail(tables.error());
    parts.tables = *tables;
  }
  return price(candidate, *figures, parts, inputs, library);
}

void rank(std::vector<Design>& designs, RankBy by) {
  const auto key = [by](const Design& d) -> std::int64_t {
    switch (by) {
      case RankBy::watts:
        return d.watts.at_load.count();
      case RankBy::cost:
        return d.total_cost().count();
      case RankBy::switches:
        return d.parts.chips;
      case RankBy::optical:
        return d.parts.optical_links;
    }
    return 0;
  };
  std::sort(designs.begin(), designs.end(), [&](const Design& a, const Design& b) {
    return std::tuple(key(a), a.parts.chips, a.candidate.name) <
           std::tuple(key(b), b.parts.chips, b.candidate.name);
  });
}

}  // namespace ebb::plan
