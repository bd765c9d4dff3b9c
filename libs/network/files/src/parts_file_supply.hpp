// SPDX-License-Identifier: Apache-2.0
//
// Power supplies: the kind `power_supply`, and `supply` of a chip, which names one.
//
//   80plus-platinum:
//     kind: power_supply
//     efficiency: [{load: 20%, efficiency: 90%}, {load: 50%, efficiency: 94%}, {load: 100%,
//     efficiency: 91%}]
//   our-chip:
//     kind: chip
//     supply: {part: 80plus-platinum, rated: 600W, count: 2}
#pragma once

#include "parts_file_kinds.hpp"

#include "ebb/files/document.hpp"
#include "ebb/power/library.hpp"
#include "ebb/power/part.hpp"
#include "ebb/units/energy.hpp"

#include <optional>

namespace ebb::files::parts {

[[nodiscard]] Body read_power_supply(Section& part, const Numbers& numbers);

// Nothing where the part names none. That the supply exists is looked at later.
[[nodiscard]] std::optional<power::SupplyChoice> read_supply(Section& part, const Numbers& numbers);

// A box has none: the losses of its supplies were measured with it.
void refuse_supply(Section& box);

// What a chip of that power names, once all parts are read. `key` is that of the chip.
void check_supply(const Value& key, const power::SupplyChoice& choice,
                  const power::PowerSupply& supply, Power chip, Diagnostics& errors);

}  // namespace ebb::files::parts
