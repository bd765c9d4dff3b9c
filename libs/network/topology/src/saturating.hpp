// SPDX-License-Identifier: Apache-2.0
//
// Products and sums for closed forms. A user may ask for a network of 10^50 switches; the count
// then sticks at kPlenty, which families.cpp refuses, instead of overflowing. All operands are
// counts: none is negative.
#pragma once

#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <initializer_list>

namespace ebb::topology {

inline constexpr std::int64_t kPlenty = 1'000'000'000'000'000'000;

constexpr std::int64_t saturated(Int128 value) {
  return value > kPlenty ? kPlenty : static_cast<std::int64_t>(value);
}

[[nodiscard]] constexpr std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) result = saturated(Int128{result} * factor);
  return result;
}

[[nodiscard]] constexpr std::int64_t sum(std::initializer_list<std::int64_t> terms) {
  std::int64_t result = 0;
  for (const std::int64_t term : terms) result = saturated(Int128{result} + term);
  return result;
}

[[nodiscard]] constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

}  // namespace ebb::topology
