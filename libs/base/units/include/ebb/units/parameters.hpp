// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a topology family, a pattern, a policy: declared once in a table, checked and
// filled in from text once. Text is what a YAML file, the command line and a file header all give.
//
//   const Parameter kTable[] = {{"hosts", Range<std::int64_t>{1, 1000}, std::nullopt, "hosts per
//   switch"},
//                               {"epoch", Range<Duration>{1ns, 1h}, "10us", "time between
//                               decisions"}};
//   const auto given = Parameters::resolve(kTable, {{"hosts", "8"}});
//   given->integer("hosts");
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/quantity.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ebb {

template <class T>
struct Range {
  T least{};
  T most{};
};

// Whole numbers, written "15x15x6" or "15,15,6".
struct WholeList {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

struct Choice {
  std::vector<std::string> words;
};

struct Parameter {
  std::string name;
  std::variant<Range<std::int64_t>, WholeList, Range<Ratio>, Range<DataSize>, Range<DataRate>,
               Range<Duration>, Choice>
      allowed;
  std::optional<std::string> fallback;  // no fallback: the user must give it
  std::string help;
};

// "1ns to 1s", "paired or independent": for lists and messages.
[[nodiscard]] std::string allowed_text(const Parameter& parameter);

using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

// Resolved values. Asking for a name or a kind that was not declared is a bug.
class Parameters {
 public:
  // Every mistake at once: unknown names (with the nearest valid one), repeated and missing ones,
  // values that cannot be read or are out of range.
  [[nodiscard]] static Result<Parameters> resolve(std::span<const Parameter> declared,
                                                  const ParameterTexts& given);

  [[nodiscard]] std::int64_t integer(std::string_view name) const {
    return get<std::int64_t>(name);
  }
  [[nodiscard]] const std::vector<std::int64_t>& list(std::string_view name) const {
    return get<std::vector<std::int64_t>>(name);
  }
  [[nodiscard]] Ratio ratio(std::string_view name) const { return get<Ratio>(name); }
  [[nodiscard]] DataSize size(std::string_view name) const { return get<DataSize>(name); }
  [[nodiscard]] DataRate rate(std::string_view name) const { return get<DataRate>(name); }
  [[nodiscard]] Duration duration(std::string_view name) const { return get<Duration>(name); }
  [[nodiscard]] const std::string& choice(std::string_view name) const {
    return get<std::string>(name);
  }

  // All of them, in declared order and in the one form ebb prints: resolving this again gives the
  // same values.
  [[nodiscard]] ParameterTexts texts() const;

 private:
  using Value = std::variant<std::int64_t, std::vector<std::int64_t>, Ratio, DataSize, DataRate,
                             Duration, std::string>;

  template <class T>
  [[nodiscard]] const T& get(std::string_view name) const;

  std::vector<std::pair<std::string, Value>> values_;
};

}  // namespace ebb
