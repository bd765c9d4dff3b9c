// SPDX-License-Identifier: Apache-2.0
//
// Sections that several configuration files share: declared parameters, one of a list of kinds by
// name, rates, the floor plan. Each is read as text with the place where it stands, so that every
// error is reported at its key.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/placement.hpp"
#include "ebb/units/parameters.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::files {

using KeyValues = std::vector<std::pair<std::string, Value>>;

// Rates from slow to fast, at least one. Reports what is wrong with them.
[[nodiscard]] std::optional<topology::RateTable> read_rate_table(const Value& value,
                                                                 Diagnostics& errors);

// The text of each value; a list [8, 8] counts as "8x8".
[[nodiscard]] ParameterTexts parameter_texts(const KeyValues& given, Diagnostics& errors);

// Places errors about a parameter at its key, others at `section`.
void report_parameters(Errors found, const KeyValues& given, const Value& section,
                       Diagnostics& errors);

// Resolves and sizes the family.
[[nodiscard]] std::optional<topology::Properties> checked_properties(const std::string& family,
                                                                     const ParameterTexts& texts,
                                                                     const KeyValues& given,
                                                                     const Value& section,
                                                                     Diagnostics& errors);

// One of a list of kinds with its resolved parameters, as configuration names it: `uniform`, or
// `{name: hotspot, hot: 4}`. The key of the name may be another, as in `{workload: search, load:
// 6%}`.
struct Named {
  std::string name;
  ParameterTexts parameters;

  bool operator==(const Named&) const = default;
};

// The parameters that the kind of that name declares, or an error that names the nearest kind.
using Declared = Result<std::span<const Parameter>> (*)(std::string_view name);

// Parameters come back resolved. Errors are placed at their keys.
[[nodiscard]] std::optional<Named> read_named(const Value& value, Declared declared,
                                              Diagnostics& errors,
                                              std::string_view name_key = "name");

// Reads `floor` from the section, if it is there: `floor: {switches_per_rack: 8, electrical_limit:
// 5m, ...}`. Keys that are left out keep their defaults.
void read_floor(Section& section, topology::FloorPlan& floor);

}  // namespace ebb::files
