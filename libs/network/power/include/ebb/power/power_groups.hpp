// SPDX-License-Identifier: Apache-2.0
//
// Power groups of a switch, and in which order they sleep and wake.
//
// A group serves all ports of the switch, or there are several of it (line cards), each of which
// serves as many ports: the first one the first ports, and so on. A group sleeps when nothing that
// depends on it is awake: the groups that name it with `after`, or the ports that it serves where
// no group does. It wakes when the one that it names has woken, before anything that depends on it.
//
//   for (const PowerGroup& group : chip.groups) sum += group.power.value * count_of(group, ports);
#pragma once

#include "ebb/power/part.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::power {

// What a simulation calls the power of a switch that is in no group; no group may have this name.
inline constexpr std::string_view kCoreGroup = "core";

// How many of a group a switch with so many ports has.
[[nodiscard]] int count_of(const PowerGroup& group, int ports);

// All groups of a switch awake.
[[nodiscard]] Power awake_power(std::span<const PowerGroup> groups, int ports);
// All groups asleep that can be.
[[nodiscard]] Power asleep_power(std::span<const PowerGroup> groups, int ports);

// The group that `groups[which]` names with `after`; none: it names none, or one that is not there.
[[nodiscard]] std::optional<std::size_t> group_before(std::span<const PowerGroup> groups,
                                                      std::size_t which);
// Whether another group names it.
[[nodiscard]] bool is_named(std::span<const PowerGroup> groups, std::size_t which);

// A mistake in the group `group`.
struct GroupMistake {
  std::size_t group = 0;
  std::string key;  // of the group; empty: the group as a whole
  std::string message;
};

// What makes no sense together: names that are not there or not unique, circles, ports that do not
// divide, a group that could never sleep because one that depends on it cannot.
[[nodiscard]] std::vector<GroupMistake> validate(std::span<const PowerGroup> groups, int ports);

}  // namespace ebb::power
