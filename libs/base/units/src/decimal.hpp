// SPDX-License-Identifier: Apache-2.0
//
// What readers of numbers share: text without the spaces around it, and exact decimal text <->
// scaled integers, the arithmetic below every unit parser.
#pragma once

#include "ebb/units/quantity.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ebb::decimal {

// digits / 10^fraction_digits, with the text that follows the number.
struct Number {
  Int128 digits = 0;
  int fraction_digits = 0;
  std::string_view rest;
};

// [+-]digits[.digits]; nullopt when there is no number or it has more than 38 digits.
[[nodiscard]] std::optional<Number> read(std::string_view text);

// number * scale as an integer; nullopt when it is not whole or leaves 128 bits.
[[nodiscard]] std::optional<Int128> scaled(const Number& number, Int128 scale);

// count / scale in decimals, without trailing zeros. `scale` has no prime factor but 2 and 5.
[[nodiscard]] std::string print(Int128 count, Int128 scale);

}  // namespace ebb::decimal

namespace ebb {

inline std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace ebb
