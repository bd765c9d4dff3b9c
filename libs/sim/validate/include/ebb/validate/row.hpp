// SPDX-License-Identifier: Apache-2.0
//
// One comparison: what theory or a count by hand says, what the simulator did, and how far apart
// they may be.
#pragma once

#include <cstdint>
#include <string>

namespace ebb::validate {

enum class Verdict : std::uint8_t { holds, fails };

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

}  // namespace ebb::validate
