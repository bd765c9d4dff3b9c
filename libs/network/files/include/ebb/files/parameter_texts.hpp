// SPDX-License-Identifier: Apache-2.0
//
// Declared parameters as a document gives them: text, and the place where it stands.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/topology/family.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::files {

using KeyValues = std::vector<std::pair<std::string, Value>>;

// Rates from slow to fast, at least one. Reports what is wrong with them.
[[nodiscard]] std::optional<topology::RateLadder> read_ladder(const Value& value,
                                                              Diagnostics& errors);

// The text of each value; a list [8, 8] counts as "8x8".
[[nodiscard]] ParameterTexts parameter_texts(const KeyValues& given, Diagnostics& errors);

// Places complaints about a parameter at its key, others at `section`.
void report_parameters(Errors mistakes, const KeyValues& given, const Value& section,
                       Diagnostics& errors);

// Resolves and sizes the family.
[[nodiscard]] std::optional<topology::Figures> checked_figures(const std::string& family,
                                                               const ParameterTexts& texts,
                                                               const KeyValues& given,
                                                               const Value& section,
                                                               Diagnostics& errors);

}  // namespace ebb::files
