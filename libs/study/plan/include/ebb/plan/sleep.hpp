// SPDX-License-Identifier: Apache-2.0
//
// What of a design can sleep at a load, by power group: links in proportion to the load, and whole
// switches that can be emptied while every pair of hosts keeps a path and a spare one. An estimate
// of what a policy could save at best, without any traffic looked at; docs/plan.md states the
// model.
//
//   const auto potential = sleep_potential(design, Ratio(3, 10), inputs, library);
//   potential->saved(), energy_cost(potential->saved(), {.years = 1})
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/design.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/power/library.hpp"
#include "ebb/units/energy.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::plan {

// The loads that a plan prints.
inline const std::array kSleepLoads = {Ratio(1, 10), Ratio(3, 10), Ratio(5, 10)};

// A piece of the network, or all pieces of one kind.
struct SleepingPart {
  std::string name;  // "links between switches", or a power group of the switch part
  Power all;         // nothing asleep
  Power saved;

  bool operator==(const SleepingPart&) const = default;
};

// Where the switch part names a power supply. Not `saved` of the switches over an efficiency: a
// supply is less efficient when the switch draws less.
struct SleepAtWall {
  Power network;  // at that load, nothing asleep
  Power saved;

  bool operator==(const SleepAtWall&) const = default;
};

struct SleepPotential {
  Ratio load;
  std::int64_t switches = 0;        // that can be emptied
  std::int64_t links = 0;           // between switches
  std::int64_t links_asleep = 0;    // of these, those of emptied switches among them
  std::vector<SleepingPart> parts;  // of the switches and their modules
  Power network;                    // at that load, nothing asleep, network cards included
  std::optional<SleepAtWall> wall;

  [[nodiscard]] Power saved() const;
  // What the bill is about: at the wall where that is known.
  [[nodiscard]] Power saved_of_bill() const { return wall ? wall->saved : saved(); }
};

// Builds the network again. Refuses what evaluate() does.
[[nodiscard]] Result<SleepPotential> sleep_potential(const Design& design, Ratio load,
                                                     const Inputs& inputs,
                                                     const power::Library& library);

}  // namespace ebb::plan
