// SPDX-License-Identifier: Apache-2.0
//
// The parameters of a family: declared once in a table, checked and filled in from text once.
// Text is what a YAML file, the command line and a graph file's header all give.
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ebb::topology {

enum class ParameterKind : std::uint8_t { integer, list };

struct Parameter {
  std::string name;
  ParameterKind kind = ParameterKind::integer;
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::optional<std::string> fallback;  // no fallback: the user must give it
  std::string help;
};

using ParameterTexts = std::vector<std::pair<std::string, std::string>>;

// Resolved values. Asking for a name that the family did not declare is a bug.
class Parameters {
 public:
  // Every mistake at once: unknown names (with the nearest valid one), missing ones, bad values.
  // A list is written "15x15x6" or "15,15,6".
  [[nodiscard]] static Result<Parameters> resolve(std::span<const Parameter> declared,
                                                  const ParameterTexts& given);

  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] const std::vector<std::int64_t>& list(std::string_view name) const;

  // Canonical text, in the order of declaration.
  [[nodiscard]] ParameterTexts texts() const;

 private:
  struct Value {
    std::string name;
    ParameterKind kind;
    std::vector<std::int64_t> numbers;
  };
  std::vector<Value> values_;
};

}  // namespace ebb::topology
