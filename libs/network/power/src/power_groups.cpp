// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/power_groups.hpp"

#include "ebb/core/names.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::power {
namespace {

using Groups = std::span<const PowerGroup>;
using Mistakes = std::vector<GroupMistake>;

int ports_of(const PowerGroup& group, int ports) { return group.ports.value_or(ports); }

void check_name(Groups groups, std::size_t which, Mistakes& mistakes) {
  const std::string& name = groups[which].name;
  if (name == kCoreGroup) {
    mistakes.push_back({which, "name", "'core' is what a switch draws beside its groups"});
  }
  const auto earlier = groups.first(which);
  if (std::any_of(earlier.begin(), earlier.end(),
                  [&](const PowerGroup& other) { return other.name == name; })) {
    mistakes.push_back({which, "name", fmt::format("'{}' is given twice", name)});
  }
}

void check_sleep(Groups groups, std::size_t which, Mistakes& mistakes) {
  const PowerGroup& group = groups[which];
  if (group.asleep.has_value() != group.wake.has_value()) {
    mistakes.push_back({which, group.wake ? "wake" : "asleep",
                        "a group that sleeps needs both 'asleep' and 'wake'"});
  }
  if (group.asleep && group.asleep->value > group.power.value) {
    mistakes.push_back({which, "asleep",
                        fmt::format("asleep it would draw {}, awake it draws {}",
                                    to_text(group.asleep->value), to_text(group.power.value))});
  }
}

void check_ports(Groups groups, std::size_t which, int ports, Mistakes& mistakes) {
  if (ports % ports_of(groups[which], ports) != 0) {
    mistakes.push_back(
        {which, "ports",
         fmt::format("{} ports cannot be divided by {}", ports, *groups[which].ports)});
  }
}

// What a group depends on serves all of its ports, and can sleep only if this one can.
void check_before(Groups groups, std::size_t which, std::size_t before, int ports,
                  Mistakes& mistakes) {
  const int own = ports_of(groups[which], ports);
  const int others = ports_of(groups[before], ports);
  if (others % own != 0) {
    mistakes.push_back(
        {which, "after",
         fmt::format("'{}' serves {} ports and '{}' serves {}: one of these serves all ports of "
                     "whole ones of those",
                     groups[before].name, others, groups[which].name, own)});
  }
  if (groups[before].asleep && !groups[which].asleep) {
    mistakes.push_back({which, "",
                        fmt::format("never sleeps, so '{}', which it comes after, never would",
                                    groups[before].name)});
  }
}

// The names from a group back to itself, or nothing.
std::string circle_of(Groups groups, std::size_t which) {
  std::string names = groups[which].name;
  auto at = group_before(groups, which);
  for (std::size_t steps = 0; at && steps < groups.size(); ++steps) {
    names += ", " + groups[*at].name;
    if (*at == which) return names;
    at = group_before(groups, *at);
  }
  return {};
}

void check_order(Groups groups, std::size_t which, int ports, Mistakes& mistakes) {
  const auto& after = groups[which].after;
  if (!after) return;
  const auto before = group_before(groups, which);
  if (!before) {
    std::vector<std::string> names;
    for (const PowerGroup& group : groups) names.push_back(group.name);
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(which));
    mistakes.push_back({which, "after", unknown_name("group", after->substr(0, 40), names)});
    return;
  }
  if (const std::string circle = circle_of(groups, which); !circle.empty()) {
    mistakes.push_back({which, "after", fmt::format("comes after itself: {}", circle)});
    return;
  }
  check_before(groups, which, *before, ports, mistakes);
}

}  // namespace

int count_of(const PowerGroup& group, int ports) { return ports / ports_of(group, ports); }

Power awake_power(Groups groups, int ports) {
  Power sum;
  for (const PowerGroup& group : groups) sum += group.power.value * count_of(group, ports);
  return sum;
}

Power asleep_power(Groups groups, int ports) {
  Power sum;
  for (const PowerGroup& group : groups)
    sum += group.asleep.value_or(group.power).value * count_of(group, ports);
  return sum;
}

std::optional<std::size_t> group_before(Groups groups, std::size_t which) {
  const auto& after = groups[which].after;
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const PowerGroup& group) {
    return after && group.name == *after;
  });
  if (found == groups.end()) return std::nullopt;
  return static_cast<std::size_t>(found - groups.begin());
}

bool is_named(Groups groups, std::size_t which) {
  return std::any_of(groups.begin(), groups.end(),
                     [&](const PowerGroup& group) { return group.after == groups[which].name; });
}

std::vector<GroupMistake> validate(Groups groups, int ports) {
  Mistakes mistakes;
  for (std::size_t which = 0; which < groups.size(); ++which) {
    check_name(groups, which, mistakes);
    check_sleep(groups, which, mistakes);
    check_ports(groups, which, ports, mistakes);
    check_order(groups, which, ports, mistakes);
  }
  return mistakes;
}

}  // namespace ebb::power
