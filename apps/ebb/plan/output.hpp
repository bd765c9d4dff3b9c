// SPDX-License-Identifier: Apache-2.0
//
// Designs as a table for people and as tidy CSV (one row per design, units in the names). As JSON
// they are plan::designs_json.
#pragma once

#include "ebb/plan/design.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

// With a decimal, without the unit.
[[nodiscard]] std::string kilowatts(Power power);
[[nodiscard]] std::string designs_table(const std::vector<plan::Design>& designs,
                                        const plan::Inputs& inputs);
// What the first design leaves out because no part is named for it, a line each; empty when
// nothing.
[[nodiscard]] std::string not_counted_lines(const plan::Design& design, const plan::Inputs& inputs);
[[nodiscard]] std::string designs_csv(const std::vector<plan::Design>& designs);
[[nodiscard]] std::string cables_table(const plan::Design& design);
[[nodiscard]] std::string breakdown_table(const plan::Design& design);
[[nodiscard]] std::string sensitivity_table(const plan::Design& design,
                                            const std::vector<plan::Swing>& swings);

}  // namespace ebb::cli
