// SPDX-License-Identifier: Apache-2.0
//
// Named random streams. A stream is derived from (seed, name), so adding a random component never
// reshuffles another one. The generator (xoshiro256**, Blackman and Vigna) and the distributions
// are written out here because the standard fixes engines but not distributions: these give the
// same bits with any compiler and any C library.
//
//   RandomStream arrivals(seed, "host/17/arrivals");
//   const auto next = arrivals.below(n);
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ebb {

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  [[nodiscard]] std::uint64_t next();

  // Uniform integer in [0, bound), without bias. `bound` must be positive.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);

  // Uniform in (0, 1]: never zero, so its logarithm exists.
  [[nodiscard]] double unit();

  // Exponential with mean 1.
  [[nodiscard]] double exponential();

 private:
  std::array<std::uint64_t, 4> state_;
};

// Natural logarithm of a positive, normal number from +, -, *, / alone: IEEE arithmetic makes these
// the same everywhere, which the C library's log does not promise. Relative error below 1e-14.
[[nodiscard]] double portable_log(double x);
// The exponential function in the same way, for |x| <= 700. Relative error below 1e-14.
[[nodiscard]] double portable_exp(double x);

}  // namespace ebb
