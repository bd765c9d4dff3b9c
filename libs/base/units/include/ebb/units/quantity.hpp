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

}  // namespace ebb
