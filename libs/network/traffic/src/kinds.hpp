// SPDX-License-Identifier: Apache-2.0
//
// The patterns, injections and workloads that patterns.cpp, injections.cpp and workloads.cpp list,
// and what they share. Each stands in a source of the folder of its kind, after its rule in words.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/core/result.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/traffic/pattern.hpp"
#include "ebb/traffic/workload_kind.hpp"
#include "ebb/units/data.hpp"

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

// clang-format off
namespace bernoulli { [[nodiscard]] InjectionKind kind(); }
namespace flows { [[nodiscard]] InjectionKind kind(); }
namespace jump { [[nodiscard]] InjectionKind kind(); }
namespace on_off { [[nodiscard]] InjectionKind kind(); }
namespace periodic { [[nodiscard]] InjectionKind kind(); }
namespace poisson { [[nodiscard]] InjectionKind kind(); }
// clang-format on

// Why hosts cannot send at that rate; empty when they can.
[[nodiscard]] Errors validate(DataRate host_rate);

// clang-format off
namespace advert { [[nodiscard]] WorkloadKind kind(); }
namespace search { [[nodiscard]] WorkloadKind kind(); }
namespace video { [[nodiscard]] WorkloadKind kind(); }
// clang-format on

}  // namespace ebb::traffic
