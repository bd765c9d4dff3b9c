// SPDX-License-Identifier: Apache-2.0
//
// Designs as JSON, which `ebb plan --json` prints and the Python package gives: units stand in the
// names, and equal designs have equal bytes. One place names every column of the machine-readable
// forms: JSON keys and CSV headers.
//
//   fmt::print("{}", designs_json(designs, inputs, {}, {}));
#pragma once

#include "ebb/plan/design.hpp"
#include "ebb/plan/inputs.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace ebb::plan {

[[nodiscard]] nlohmann::ordered_json to_json(const Design& design);

// The whole document, with its line end. `swings` is the sensitivity of the first design; empty
// when it was not asked for. `more` is an object of further keys that were, or null.
[[nodiscard]] std::string designs_json(const std::vector<Design>& designs, const Inputs& inputs,
                                       const std::vector<Swing>& swings,
                                       const nlohmann::ordered_json& more);

}  // namespace ebb::plan
