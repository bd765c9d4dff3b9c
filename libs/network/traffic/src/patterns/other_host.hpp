// SPDX-License-Identifier: Apache-2.0
//
// A host other than `source`, each equally likely: one draw, no rejection of `source`.
#pragma once

#include "ebb/core/random.hpp"

#include <cstdint>

namespace ebb::traffic {

[[nodiscard]] inline std::uint32_t other_host(std::uint32_t source, std::uint32_t hosts,
                                              RandomStream& stream) {
  const auto drawn = static_cast<std::uint32_t>(stream.below(hosts - 1));
  return drawn < source ? drawn : drawn + 1;
}

}  // namespace ebb::traffic
