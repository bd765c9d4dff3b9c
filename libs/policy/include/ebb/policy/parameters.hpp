// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a policy: declared once in a table, checked and filled in from text once. A
// quantity is written with its unit, "10us"; what it may be is a range of the same kind.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/ratio.hpp"
#include "ebb/units/time.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ebb::policy {

template <class T>
struct Range {
  T least{};
  T most{};
};

struct Choice {
  std::vector<std::string> words;
};

struct Parameter {
  std::string name;
  std::variant<Range<Duration>, Range<DataSize>, Range<Ratio>, Choice> allowed;
  std::optional<std::string> fallback;  // no fallback: the user must give it
  std::string help;
};

// "1ns to 1s", "paired or independent": for lists and messages.
[[nodiscard]] std::string allowed_text(const Parameter& parameter);

using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

// Resolved values. Asking for a name or a kind that the policy did not declare is a bug.
class Parameters {
 public:
  // Every mistake at once: unknown names (with the nearest valid one), repeated and missing ones,
  // values that cannot be read or are out of range.
  [[nodiscard]] static Result<Parameters> resolve(std::span<const Parameter> declared,
                                                  const ParameterTexts& given);

  [[nodiscard]] Duration duration(std::string_view name) const;
  [[nodiscard]] DataSize size(std::string_view name) const;
  [[nodiscard]] Ratio ratio(std::string_view name) const;
  [[nodiscard]] const std::string& choice(std::string_view name) const;

  // All of them, in declared order and in the one form ebb prints: resolving this again gives the
  // same values.
  [[nodiscard]] ParameterTexts texts() const;

 private:
  using Value = std::variant<Duration, DataSize, Ratio, std::string>;

  [[nodiscard]] const Value& value(std::string_view name) const;

  std::vector<std::pair<std::string, Value>> values_;
};

}  // namespace ebb::policy
