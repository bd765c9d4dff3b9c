// SPDX-License-Identifier: Apache-2.0
#include "decimal.hpp"

#include <algorithm>

namespace ebb::decimal {
namespace {

constexpr int kMostDigits = 38;  // the most that always fit in 127 bits

bool is_digit(char c) { return c >= '0' && c <= '9'; }

Int128 power_of_ten(int exponent) {
  Int128 value = 1;
  while (exponent-- > 0) value *= 10;
  return value;
}

std::string digits_of(Int128 value) {
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

}  // namespace

std::optional<Number> read(std::string_view text) {
  Number number;
  std::size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) ++at;
  int digits = 0;
  bool fraction = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !fraction && digits > 0 && at + 1 < text.size() &&
        is_digit(text[at + 1])) {
      fraction = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    if (++digits > kMostDigits) return std::nullopt;
    number.digits = number.digits * 10 + (text[at] - '0');
    if (fraction) ++number.fraction_digits;
  }
  if (digits == 0) return std::nullopt;
  if (negative) number.digits = -number.digits;
  number.rest = text.substr(at);
  return number;
}

std::optional<Int128> scaled(const Number& number, Int128 scale) {
  Int128 digits = number.digits;
  int fraction_digits = number.fraction_digits;
  while (fraction_digits > 0 && digits % 10 == 0) {
    digits /= 10;
    --fraction_digits;
  }
  const Int128 divisor = power_of_ten(fraction_digits);
  // Divide out what the two sides share before multiplying, to stay inside 128 bits.
  Int128 a = scale;
  Int128 b = divisor;
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  const Int128 left = divisor / a;
  if (digits % left != 0) return std::nullopt;
  Int128 result = 0;
  if (__builtin_mul_overflow(digits / left, scale / a, &result)) return std::nullopt;
  return result;
}

std::string print(Int128 count, Int128 scale) {
  const bool negative = count < 0;
  const Int128 magnitude = negative ? -count : count;
  std::string text = (negative ? "-" : "") + digits_of(magnitude / scale);
  Int128 rest = magnitude % scale;
  if (rest == 0) return text;
  text += '.';
  while (rest != 0) {
    rest *= 10;
    text += static_cast<char>('0' + static_cast<int>(rest / scale));
    rest %= scale;
  }
  return text;
}

}  // namespace ebb::decimal
