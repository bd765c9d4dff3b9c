// SPDX-License-Identifier: Apache-2.0
#include "parts_file_groups.hpp"

#include "ebb/power/model.hpp"
#include "ebb/power/power_groups.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ebb::files::parts {
namespace {

using power::PowerGroup;
using power::Sourced;

PowerGroup read_group(const Value& value, const Numbers& numbers, int ports, Diagnostics& errors) {
  Section section(value, errors);
  PowerGroup group;
  group.name = section.require_text("name").value_or("").substr(0, 40);
  if (const auto served = section.find_integer("ports", 1, ports))
    group.ports = static_cast<int>(*served);
  group.power = numbers.require(section, "power", kPowers).value_or(Sourced<Power>{});
  group.asleep = numbers.find(section, "asleep", kPowers);
  group.wake = numbers.find(section, "wake", kDelays);
  group.after = section.find_text("after");
  section.finish();
  return group;
}

// At the key that it is about, where the group has it.
void report(const power::GroupMistake& mistake, const Value& group, Diagnostics& errors) {
  Diagnostics ignored(errors.file());  // the group was read before
  const auto key = Section(group, ignored).find(mistake.key);
  (key ? *key : group).report(errors, mistake.message);
}

}  // namespace

std::vector<PowerGroup> read_groups(Section& part, const Numbers& numbers, int ports,
                                    GroupLimit limit) {
  const auto value = part.find("groups");
  const auto list = value ? value->list(part.errors()) : std::nullopt;
  if (!list) return {};
  if (list->empty()) value->report(part.errors(), "the list is empty");
  std::vector<PowerGroup> groups;
  for (const Value& entry : *list)
    groups.push_back(read_group(entry, numbers, ports, part.errors()));
  for (const power::GroupMistake& mistake : power::validate(groups, ports))
    report(mistake, (*list)[mistake.group], part.errors());
  const Power sum = power::awake_power(groups, ports);
  if (sum > limit.power) {
    value->report(part.errors(), fmt::format("the groups draw {}, more than the {} {}",
                                             to_text(sum), to_text(limit.power), limit.what));
  }
  return groups;
}

}  // namespace ebb::files::parts
