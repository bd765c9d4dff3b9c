// SPDX-License-Identifier: Apache-2.0
//
// An exact dimensionless number, num/den: a utilisation, a PUE, an oversubscription. Percent and
// fraction cannot be confused because text says which one it is ("23%" or "0.23").
#pragma once

#include "ebb/units/quantity.hpp"

#include <compare>
#include <cstdint>

namespace ebb {

class Ratio {
 public:
  constexpr Ratio() = default;
  constexpr Ratio(std::int64_t num, std::int64_t den) : num_(num), den_(den) { reduce(); }

  [[nodiscard]] constexpr std::int64_t num() const { return num_; }
  [[nodiscard]] constexpr std::int64_t den() const { return den_; }
  [[nodiscard]] constexpr double to_double() const {
    return static_cast<double>(num_) / static_cast<double>(den_);
  }

  constexpr bool operator==(const Ratio&) const = default;
  friend constexpr std::strong_ordering operator<=>(const Ratio& a, const Ratio& b) {
    return static_cast<Int128>(a.num_) * b.den_ <=> static_cast<Int128>(b.num_) * a.den_;
  }

 private:
  constexpr void reduce() {
    std::int64_t a = num_ < 0 ? -num_ : num_;
    std::int64_t b = den_;
    while (b != 0) {
      const std::int64_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a > 1) {
      num_ /= a;
      den_ /= a;
    }
  }

  std::int64_t num_ = 0;
  std::int64_t den_ = 1;  // always positive
};

// The quantity times the ratio, rounded down: the product is formed in 128 bits.
template <class Tag>
[[nodiscard]] constexpr Quantity<Tag> scale(Quantity<Tag> quantity, Ratio by) {
  const Int128 product = static_cast<Int128>(quantity.count()) * by.num();
  Int128 quotient = product / by.den();
  if (product % by.den() < 0) --quotient;
  return Quantity<Tag>::from_count(static_cast<std::int64_t>(quotient));
}

}  // namespace ebb
