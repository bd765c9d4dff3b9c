// SPDX-License-Identifier: Apache-2.0
//
// Stored runs for people.
#pragma once

#include "ebb/results/run.hpp"

#include <string>
#include <vector>

namespace ebb::cli {

// A table, one run per line, with a column for each parameter that some run has.
[[nodiscard]] std::string list_text(const std::vector<results::Run>& runs);

// Everything about one run.
[[nodiscard]] std::string show_text(const results::Record& record);

// Where two runs differ: keys of the configuration, then metrics. Empty when nowhere.
[[nodiscard]] std::string diff_text(const results::Run& a, const results::Run& b);

// The beginning of a key, enough to name a run.
[[nodiscard]] std::string short_key(const results::Run& run);

// A metric with its unit, rounded.
[[nodiscard]] std::string value_text(const std::string& unit, double value);

// Parameter keys as titles: the last word of each, or all of it where that would be ambiguous.
[[nodiscard]] std::vector<std::string> column_titles(const std::vector<std::string>& keys);
// The keys that some run has, in the order in which they are met.
[[nodiscard]] std::vector<std::string> parameter_keys(const std::vector<results::Run>& runs);

}  // namespace ebb::cli
