// SPDX-License-Identifier: Apache-2.0
//
// One of a list of kinds with its parameters, as configuration names it: `uniform`, or
// `{name: hotspot, hot: 4}`. The key of the name may be another, as in `{workload: search, load:
// 6%}`.
#pragma once

#include "ebb/files/document.hpp"
#include "ebb/units/parameters.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace ebb::files {

// A kind and its resolved parameters.
struct Named {
  std::string name;
  ParameterTexts parameters;

  bool operator==(const Named&) const = default;
};

// The parameters that the kind of that name declares, or an error that names the nearest kind.
using Declared = Result<std::span<const Parameter>> (*)(std::string_view name);

// Parameters come back resolved. Complaints are placed at their keys.
[[nodiscard]] std::optional<Named> read_named(const Value& value, Declared declared,
                                              Diagnostics& errors,
                                              std::string_view name_key = "name");

}  // namespace ebb::files
