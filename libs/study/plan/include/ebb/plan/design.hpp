// SPDX-License-Identifier: Apache-2.0
//
// One way to build the network, with everything a buyer asks about it.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/breakdown.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/plan/network_power.hpp"
#include "ebb/plan/parts_count.hpp"
#include "ebb/plan/rule_count.hpp"
#include "ebb/power/library.hpp"
#include "ebb/topology/family.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ebb::plan {

// A topology to look at: by itself (from a search) or named by the user.
struct Candidate {
  std::string name;
  std::string family;
  ParameterTexts parameters;
};

struct Design {
  Candidate candidate;
  topology::Figures figures;
  PartsCount parts;
  Watts watts;
  Breakdown breakdown;  // of watts.at_load
  // What uniform traffic at full injection can move across the bisection, both directions together:
  // the cut's capacity, but at most the N/2 line rates that such traffic offers. "Energy
  // Proportional Datacenter Networks" gives 655 Tb/s for both of its networks by this measure.
  DataRate bisection;
  RuleCount rules;
  Money energy_cost;              // of watts.at_load over the service life
  std::optional<Money> purchase;  // where prices are known

  [[nodiscard]] double watts_per_gigabit() const;  // of bisection, all links up
  [[nodiscard]] Money total_cost() const { return energy_cost + purchase.value_or(Money{}); }
};

// Builds the network, lays its cables, counts and prices it.
[[nodiscard]] Result<Design> evaluate(const Candidate& candidate, const Inputs& inputs,
                                      const power::Library& library);

// Prices parts that were counted before; what evaluate() does after counting.
[[nodiscard]] Result<Design> price(const Candidate& candidate, const topology::Figures& figures,
                                   const PartsCount& parts, const Inputs& inputs,
                                   const power::Library& library);

enum class RankBy : std::uint8_t { watts, cost, switches, optical };

// Best first; ties by fewer switches, then by name, so that the order never depends on the search.
void rank(std::vector<Design>& designs, RankBy by);

// Every family that proposes shapes, each shape checked against the demand and evaluated.
[[nodiscard]] Result<std::vector<Design>> propose(const Inputs& inputs,
                                                  const power::Library& library);

}  // namespace ebb::plan
