// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a pattern or an injection: declared once in a table, checked and filled in from
// text once. A parameter is a whole number, a ratio or a size; its bounds say which.
//
//   {"fraction", Ratio(0, 1), Ratio(1, 1), Ratio(1, 10), "share of the messages ..."}
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/ratio.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ebb::traffic {

using ParameterValue = std::variant<std::int64_t, Ratio, DataSize>;

// "17", "0.25", "1500B": what resolve() reads back.
[[nodiscard]] std::string to_text(const ParameterValue& value);

struct Parameter {
  std::string name;
  ParameterValue least;
  ParameterValue most;                     // of the same kind as `least`
  std::optional<ParameterValue> fallback;  // no fallback: the user must give it
  std::string help;
};

using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

// Resolved values. Asking for a name or a kind that was not declared is a bug.
class Parameters {
 public:
  // Every mistake at once: unknown names (with the nearest valid one), repeated and missing ones,
  // bad values.
  [[nodiscard]] static Result<Parameters> resolve(std::span<const Parameter> declared,
                                                  const ParameterTexts& given);

  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] Ratio ratio(std::string_view name) const;
  [[nodiscard]] DataSize size(std::string_view name) const;

  // Canonical text, in the order of declaration.
  [[nodiscard]] ParameterTexts texts() const;

 private:
  template <class T>
  [[nodiscard]] T value(std::string_view name) const;

  std::vector<std::pair<std::string, ParameterValue>> values_;
};

}  // namespace ebb::traffic
