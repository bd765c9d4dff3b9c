// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic in the finite field GF(q), q a prime power p^n, from which slim-fly and polarfly are
// made. An element is a number 0 .. q-1 whose digits in base p are the coefficients of a polynomial
// of degree below n; the constant term is the lowest digit. With a prime q this is arithmetic
// modulo q.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::topology {

struct PrimePower {
  std::uint32_t prime = 0;
  std::uint32_t exponent = 0;
};

// Nothing when `q` is not a power of one prime.
[[nodiscard]] std::optional<PrimePower> prime_power(std::int64_t q);

class GaloisField {
 public:
  // `q` must be a prime power.
  explicit GaloisField(std::uint32_t q);

  [[nodiscard]] std::uint32_t order() const { return q_; }
  [[nodiscard]] std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t negative(std::uint32_t a) const { return scaled(a, p_ - 1); }
  [[nodiscard]] std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const {
    return add(a, negative(b));
  }
  [[nodiscard]] std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const;
  // Of an element that is not 0.
  [[nodiscard]] std::uint32_t inverse(std::uint32_t a) const;
  // Powers of one primitive element: exponents 0 .. q-2 give every element but 0 once.
  [[nodiscard]] std::uint32_t power(std::uint32_t exponent) const {
    return power_[exponent % (q_ - 1)];
  }

 private:
  // a + a + ... + a, `times` times.
  [[nodiscard]] std::uint32_t scaled(std::uint32_t a, std::uint32_t times) const;
  // Whether x is primitive modulo the polynomial x^n - `reduced`; fills power_ while it looks.
  [[nodiscard]] bool is_primitive(std::uint32_t reduced);

  std::uint32_t q_ = 2;
  std::uint32_t p_ = 2;
  std::vector<std::uint32_t> power_;     // by exponent
  std::vector<std::uint32_t> exponent_;  // by element; that of 0 means nothing
};

}  // namespace ebb::topology
