// SPDX-License-Identifier: Apache-2.0
#include "families/galois_field.hpp"

#include "ebb/core/check.hpp"

namespace ebb::topology {

std::optional<PrimePower> prime_power(std::int64_t q) {
  if (q < 2) return std::nullopt;
  std::int64_t prime = 2;
  while (q % prime != 0 && prime * prime <= q) ++prime;
  if (q % prime != 0) prime = q;
  std::uint32_t exponent = 0;
  for (; q % prime == 0; q /= prime) ++exponent;
  if (q != 1) return std::nullopt;
  return PrimePower{static_cast<std::uint32_t>(prime), exponent};
}

// A primitive polynomial exists for every prime power, so the search ends. If the powers of x are
// q-1 different elements, each of them has an inverse, and the ring of polynomials is a field.
GaloisField::GaloisField(std::uint32_t q) : q_(q), power_(q - 1), exponent_(q) {
  const auto order = prime_power(q);
  EBB_CHECK(order.has_value(), "a finite field has a prime power of elements");
  p_ = order->prime;
  std::uint32_t reduced = 1;
  while (!is_primitive(reduced)) ++reduced;
  for (std::uint32_t e = 0; e + 1 < q; ++e) exponent_[power_[e]] = e;
}

bool GaloisField::is_primitive(std::uint32_t reduced) {
  const std::uint32_t leading = q_ / p_;  // the weight of the highest digit
  std::uint32_t element = 1;
  for (std::uint32_t e = 0; e + 1 < q_; ++e) {
    if (element == 0 || (element == 1 && e > 0)) return false;
    power_[e] = element;
    // Times x: digits move up by one, and the one that leaves comes back as x^n.
    element = add(element % leading * p_, scaled(reduced, element / leading));
  }
  return element == 1;
}

std::uint32_t GaloisField::add(std::uint32_t a, std::uint32_t b) const {
  std::uint32_t total = 0;
  for (std::uint32_t weight = 1; weight < q_; weight *= p_)
    total += (a / weight % p_ + b / weight % p_) % p_ * weight;
  return total;
}

std::uint32_t GaloisField::scaled(std::uint32_t a, std::uint32_t times) const {
  std::uint32_t total = 0;
  for (std::uint32_t weight = 1; weight < q_; weight *= p_)
    total += a / weight % p_ * times % p_ * weight;
  return total;
}

std::uint32_t GaloisField::multiply(std::uint32_t a, std::uint32_t b) const {
  return a == 0 || b == 0 ? 0 : power(exponent_[a] + exponent_[b]);
}

std::uint32_t GaloisField::inverse(std::uint32_t a) const {
  EBB_CHECK(a != 0, "0 has no inverse");
  return power(q_ - 1 - exponent_[a]);
}

}  // namespace ebb::topology
