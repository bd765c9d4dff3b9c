// SPDX-License-Identifier: Apache-2.0
//
// A physical quantity as an integer count of its base unit. Quantities of one kind add, subtract,
// compare and scale by integers; nothing else compiles. There is no implicit conversion from a
// number: quantities are made by named units, `watts(9)`, `gigabits_per_second(40)`.
#pragma once

#include <compare>
#include <cstdint>

namespace ebb {

__extension__ using Int128 = __int128;

template <class Tag, class Rep = std::int64_t>
class Quantity {
 public:
  constexpr Quantity() = default;

  // Named makers and parsers call this; `count` is in the base unit of the kind.
  [[nodiscard]] static constexpr Quantity from_count(Rep count) { return Quantity(count); }
  [[nodiscard]] constexpr Rep count() const { return count_; }

  constexpr auto operator<=>(const Quantity&) const = default;

  constexpr Quantity& operator+=(Quantity other) { return count_ += other.count_, *this; }
  constexpr Quantity& operator-=(Quantity other) { return count_ -= other.count_, *this; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator-(Quantity a) { return Quantity(-a.count_); }
  friend constexpr Quantity operator*(Quantity a, std::int64_t n) { return Quantity(a.count_ * n); }
  friend constexpr Quantity operator*(std::int64_t n, Quantity a) { return a * n; }

 private:
  constexpr explicit Quantity(Rep count) : count_(count) {}

  Rep count_ = 0;
};

// An exact dimensionless number, num/den: a utilisation, a PUE, an oversubscription. Percent and
// fraction cannot be confused because text says which one it is ("23%" or "0.23").
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

using Length = Quantity<struct LengthTag>;    // mm, of cables
using Voltage = Quantity<struct VoltageTag>;  // mV, of supplies

constexpr Length millimetres(std::int64_t n) { return Length::from_count(n); }
constexpr Length metres(std::int64_t n) { return millimetres(1'000 * n); }
constexpr Voltage millivolts(std::int64_t n) { return Voltage::from_count(n); }

}  // namespace ebb
