// SPDX-License-Identifier: Apache-2.0
//
// The patterns that patterns.cpp lists; each stands in a source under patterns/, after the rule for
// every host in words.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/traffic/pattern.hpp"

#include <cstdint>

namespace ebb::traffic {

// clang-format off
namespace all_to_all { [[nodiscard]] PatternKind kind(); }
namespace bit_complement { [[nodiscard]] PatternKind kind(); }
namespace bit_reversal { [[nodiscard]] PatternKind kind(); }
namespace group_adversarial { [[nodiscard]] PatternKind kind(); }
namespace hotspot { [[nodiscard]] PatternKind kind(); }
namespace neighbour { [[nodiscard]] PatternKind kind(); }
namespace permutation { [[nodiscard]] PatternKind kind(); }
namespace shift { [[nodiscard]] PatternKind kind(); }
namespace tornado { [[nodiscard]] PatternKind kind(); }
namespace transpose { [[nodiscard]] PatternKind kind(); }
namespace uniform { [[nodiscard]] PatternKind kind(); }
// clang-format on

// A host other than `source`, each equally likely: one draw, no rejection of `source`.
[[nodiscard]] inline std::uint32_t other_host(std::uint32_t source, std::uint32_t hosts,
                                              RandomStream& stream) {
  const auto drawn = static_cast<std::uint32_t>(stream.below(hosts - 1));
  return drawn < source ? drawn : drawn + 1;
}

}  // namespace ebb::traffic
