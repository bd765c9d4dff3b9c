// SPDX-License-Identifier: Apache-2.0
//
// The checks of the packet simulator against what is known without it: closed forms, laws of
// queueing, counts by hand. docs/validate.md has the equation and the source of each.
// Adding one: a file in src/checks, a declaration in src/checks.hpp, a line in src/checks.cpp.
//
//   for (const Check& check : checks()) print(check, check.run());
#pragma once

#include "ebb/core/result.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::validate {

enum class Verdict : std::uint8_t { holds, fails };

// One comparison: what theory or a count by hand says, what the simulator did, and how far apart
// they may be.
struct Row {
  std::string name;  // the case
  double expected = 0;
  double measured = 0;
  std::string tolerance;  // "exact", "+-2 %", "at least"
  std::string unit;
  Verdict verdict = Verdict::fails;
  std::string note;  // what is wrong, or why the two may differ
};

// Whole numbers that must be equal.
[[nodiscard]] Row exact(std::string name, std::int64_t expected, std::int64_t measured,
                        std::string unit);
// |measured - expected| <= share * expected.
[[nodiscard]] Row within(std::string name, double expected, double measured, double share,
                         std::string unit);
// `expected` is a bound.
[[nodiscard]] Row at_least(std::string name, double expected, double measured, std::string unit);
[[nodiscard]] Row at_most(std::string name, double expected, double measured, std::string unit);

struct Check {
  std::string name;
  std::string summary;
  std::string source;  // the closed form or the book that `expected` comes from
  // Takes seconds, not minutes. The same rows at every call.
  std::vector<Row> (*run)() = nullptr;
};

// In the order `ebb validate list` prints them.
[[nodiscard]] std::span<const Check> checks();
[[nodiscard]] Result<const Check*> find_check(std::string_view name);

}  // namespace ebb::validate
