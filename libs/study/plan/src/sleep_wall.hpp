// SPDX-License-Identifier: Apache-2.0
//
// What sleep saves at the wall. A switch whose links sleep works its supplies at a lower load,
// where they are less efficient, so the wall saves another number of watts than the switch. Each
// switch is taken by itself: what it draws awake, and what it draws with its own links asleep.
#pragma once

#include "ebb/power/power_supply.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace ebb::plan {

// By medium: electrical, optical, backplane.
using ByMedium = std::array<std::int64_t, 3>;

// Ends of links in one switch.
struct SwitchEnds {
  ByMedium between{};     // of links to other switches
  ByMedium to_emptied{};  // of these, to switches that are emptied
  ByMedium hosts{};
};

// How every switch of a network draws, and which links between awake switches sleep: of `left` of a
// medium `asleep`, spread evenly over their ends.
struct SleepingSwitches {
  Power core;  // beside the links, with all groups awake
  Power link;  // an end that is awake
  Power link_asleep;
  std::array<Power, 3> modules;  // an end, by medium
  Power groups_asleep_save;      // in an emptied switch
  bool off = false;              // an emptied switch is switched off as a whole, and its supplies
  ByMedium left{};
  ByMedium asleep{};
};

// One entry for each switch; only links that are cabled.
[[nodiscard]] std::vector<SwitchEnds> ends_of(const topology::Graph& graph,
                                              std::uint32_t connected_hosts,
                                              const std::vector<bool>& emptied);

[[nodiscard]] Power saved_at_wall(const SleepingSwitches& all, const std::vector<SwitchEnds>& ends,
                                  const std::vector<bool>& emptied,
                                  const power::SwitchSupply& supply);

}  // namespace ebb::plan
