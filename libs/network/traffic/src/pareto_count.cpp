// SPDX-License-Identifier: Apache-2.0
#include "pareto_count.hpp"

#include <algorithm>

namespace ebb::traffic {
namespace {

constexpr double kOne = 9007199254740992.0;  // 2^53

}  // namespace

ParetoCount::ParetoCount(Ratio shape, std::uint32_t most) {
  const auto power = [&](double n) { return portable_exp(-shape.to_double() * portable_log(n)); };
  const double cut = power(most + 1.0);
  Int128 sum = 0;
  for (std::uint32_t n = 1; n <= most; ++n) {
    const double share = (power(n) - cut) / (1 - cut);
    at_least_.push_back(static_cast<std::uint64_t>(share * kOne));
    sum += at_least_.back();
  }
  mean_ = static_cast<double>(sum) / kOne;
}

std::uint32_t ParetoCount::draw(RandomStream& stream) const {
  const std::uint64_t drawn = stream.next() >> 11U;
  const auto above = std::partition_point(at_least_.begin(), at_least_.end(),
                                          [&](std::uint64_t share) { return drawn < share; });
  return static_cast<std::uint32_t>(above - at_least_.begin());
}

}  // namespace ebb::traffic
