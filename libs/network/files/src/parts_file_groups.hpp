// SPDX-License-Identifier: Apache-2.0
//
// `groups` of a chip or a box: what of it is powered as a whole, beside its ports. What must hold
// of groups together is power::validate's; here it gets its place in the file.
//
//   groups:
//     - {name: line card, ports: 4, power: 20W, asleep: 1W, wake: 20us, after: asic}
//     - {name: asic, power: 120W, asleep: 4W, wake: 50us}
//
//   chip.groups = read_groups(part, numbers, chip.ports,
//                             {power::core_power(chip), "of the chip beside its links"});
#pragma once

#include "parts_file_kinds.hpp"

#include "ebb/power/part.hpp"

#include <vector>

namespace ebb::files::parts {

// What all groups together may draw, and what that is the power of.
struct GroupLimit {
  Power power;
  const char* what = "";
};

// None when the part has none. Every mistake is reported.
[[nodiscard]] std::vector<power::PowerGroup> read_groups(Section& part, const Numbers& numbers,
                                                         int ports, GroupLimit limit);

}  // namespace ebb::files::parts
