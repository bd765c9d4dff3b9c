// SPDX-License-Identifier: Apache-2.0
//
// `--where KEY=VALUE`: runs chosen by a value of their configuration. A key may be its last word or
// words where only one key of the file ends so; a value may be written in another form, as 20% for
// 0.2.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plots/result_figures.hpp"
#include "ebb/results/run.hpp"

#include <vector>

namespace ebb::plots {

// The runs that pass all filters. All mistakes at once: keys that no run has, with the nearest one;
// keys that may be several; values that no run has, with those that there are.
[[nodiscard]] Result<std::vector<results::Run>> passing(const std::vector<results::Run>& runs,
                                                        const std::vector<RunFilter>& filters);

// The same quantity, in whatever form: "20%" and "0.2", "1us" and "1000ns".
[[nodiscard]] bool same_value(const std::string& a, const std::string& b);

}  // namespace ebb::plots
