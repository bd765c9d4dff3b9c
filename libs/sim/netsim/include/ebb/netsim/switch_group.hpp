// SPDX-License-Identifier: Apache-2.0
//
// What a switch draws beside its channels, in groups that are powered as a whole: a group sleeps
// when nothing that depends on it is awake, and wakes before anything that does.
// docs/models/netsim.md has the rules.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/power/group_numbers.hpp"
#include "ebb/power/part.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::netsim {

struct SwitchGroup {
  std::string name;
  std::uint32_t ports = 0;           // that one of them serves; 0: all, so that there is one
  std::uint32_t count = 1;           // of each switch
  Power awake;                       // what one of them draws, also while it wakes
  Power asleep;                      // with `wake`
  std::optional<Duration> wake;      // none: it never sleeps
  std::optional<std::size_t> after;  // the group that has to be awake before this one wakes

  bool operator==(const SwitchGroup&) const = default;
};

// What a switch draws beside its channels while all of its outputs are asleep, and how long it then
// takes before the first of them can wake.
struct SwitchSleep {
  Power power;
  Duration wake{};

  bool operator==(const SwitchSleep&) const = default;
};

// All of the core as one group.
[[nodiscard]] std::vector<SwitchGroup> core_as_group(Power core, const SwitchSleep& sleep);

// The groups of a part with so many ports, for the switches of a graph: each port of a switch is
// the next of the part. Refuses a graph whose switches have more.
[[nodiscard]] Result<std::vector<SwitchGroup>> switch_groups(
    std::span<const power::PowerGroup> groups, int ports, const topology::Graph& graph);

// Which of them a port of a switch depends on.
[[nodiscard]] power::GroupNumbers group_numbers(std::span<const SwitchGroup> groups);

}  // namespace ebb::netsim
