// SPDX-License-Identifier: Apache-2.0
//
// One way to build the network, with everything a buyer asks about it: parts, where the watts go,
// rules, money, and which inputs move the answer most.
//
//   const auto designs = propose(inputs, library);   // every family, each shape that fits
//   rank(*designs, RankBy::watts);
//   const auto swings = sensitivity(designs->front(), inputs, library);
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/plan/not_counted.hpp"
#include "ebb/plan/power.hpp"
#include "ebb/plan/tables.hpp"
#include "ebb/power/library.hpp"
#include "ebb/routing/worst_case.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/units/energy.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ebb::plan {

// Where the watts of a network go, at the planned load. The parts add up to Watts::at_load.
struct Breakdown {
  Power base;     // switches without ports: processor, fans, logic, the core of a chip
  Power ports;    // switch ports with their links up
  Power traffic;  // what boxes add for bits and packets: buffers, mostly
  Power tables;   // forwarding tables, where the plan asks for them
  Power modules;  // in both ends of cables
  Power nics;     // of the hosts
  Power circuit_switches;

  [[nodiscard]] Power sum() const {
    return base + ports + traffic + tables + modules + nics + circuit_switches;
  }
  bool operator==(const Breakdown&) const = default;
};

[[nodiscard]] Result<Breakdown> power_breakdown(const PartsCount& count, const Inputs& inputs,
                                                const power::Library& library);

// A topology to look at: by itself (from a search) or named by the user.
struct Candidate {
  std::string name;
  std::string family;
  ParameterTexts parameters;
};

struct Design {
  Candidate candidate;
  topology::Properties properties;
  PartsCount parts;
  Watts watts;
  std::optional<WallWatts> wall;  // where the switch part names a power supply
  Breakdown breakdown;            // of watts.at_load
  // What uniform traffic at full injection can move across the bisection, both directions together:
  // the cut's capacity, but at most the N/2 line rates that such traffic offers. "Energy
  // Proportional Datacenter Networks" gives 655 Tb/s for both of its networks by this measure.
  DataRate bisection;
  DataRate host_links;  // of all planned hosts together, in one direction
  // How much of the worst known permutation each routing carries; empty where nobody knows.
  std::vector<routing::WorstCase> worst_cases;
  RuleCount rules;
  Money energy_cost;              // of paid() over the service life
  std::optional<Money> purchase;  // where prices are known
  std::vector<NotCounted> not_counted;

  // At the planned load: at the wall where that is known, else watts.at_load.
  [[nodiscard]] Power paid() const { return wall ? wall->at_load : watts.at_load; }
  [[nodiscard]] double watts_per_gigabit() const;  // of bisection, if it is known; all links up
  // Bandwidth of the cut in one direction over that of the hosts of one half: 1 when each of them
  // can send at its full rate to the other half. Of the network filled with hosts.
  [[nodiscard]] double cut_per_host() const;
  // Of the routing that carries most, of those with such paths or of all; null: not known.
  [[nodiscard]] const routing::WorstCase* worst_case(routing::Paths paths) const {
    return routing::best_of(worst_cases, paths);
  }
  [[nodiscard]] const routing::WorstCase* worst_case() const;
  // At the planned load, per bandwidth that the planned hosts get in such a case.
  [[nodiscard]] double watts_per_gigabit(const routing::WorstCase& worst) const;
  [[nodiscard]] Money total_cost() const { return energy_cost + purchase.value_or(Money{}); }
};

// Builds the network, lays its cables, counts and prices it.
[[nodiscard]] Result<Design> evaluate(const Candidate& candidate, const Inputs& inputs,
                                      const power::Library& library);

// Prices parts that were counted before; what evaluate() does after counting. Worst cases, which do
// not depend on prices, are left out.
[[nodiscard]] Result<Design> price(const Candidate& candidate,
                                   const topology::Properties& properties, const PartsCount& parts,
                                   const Inputs& inputs, const power::Library& library);

// worst_case: watts at load per bandwidth that the worst permutation gets from the best routing;
// worst_case_minimal: from minimal routing. Designs whose worst case is not known come last.
enum class RankBy : std::uint8_t { watts, cost, switches, optical, worst_case, worst_case_minimal };

// Best first; ties by fewer switches, then by name, so that the order never depends on the search.
void rank(std::vector<Design>& designs, RankBy by);

// Every family that proposes shapes, each shape checked against the demand and evaluated.
[[nodiscard]] Result<std::vector<Design>> propose(const Inputs& inputs,
                                                  const power::Library& library);

// Which inputs move the answer most: each input alone is moved down and up by a fifth and the
// energy cost of the same design is computed again.
struct Swing {
  std::string input;
  Money low;   // cost with the input a fifth lower
  Money high;  // and a fifth higher

  [[nodiscard]] Money spread() const { return high > low ? high - low : low - high; }
};

// Largest spread first. Inputs without effect are left out.
[[nodiscard]] Result<std::vector<Swing>> sensitivity(const Design& design, const Inputs& inputs,
                                                     const power::Library& library);

}  // namespace ebb::plan
