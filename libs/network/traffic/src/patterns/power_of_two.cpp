// SPDX-License-Identifier: Apache-2.0
#include "patterns/power_of_two.hpp"

#include <fmt/format.h>

#include <bit>

namespace ebb::traffic {

Result<unsigned> host_bits(std::string_view pattern, std::uint32_t hosts) {
  if (std::has_single_bit(hosts)) return static_cast<unsigned>(std::countr_zero(hosts));
  const std::uint64_t below = std::bit_floor(hosts);
  const std::uint64_t nearest = hosts - below <= 2 * below - hosts ? below : 2 * below;
  return fail(fmt::format("{} needs a power of two of hosts, not {}; the nearest is {}", pattern,
                          hosts, nearest));
}

}  // namespace ebb::traffic
