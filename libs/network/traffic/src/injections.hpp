// SPDX-License-Identifier: Apache-2.0
//
// The injections that injections.cpp lists; each stands in a source under injections/.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/traffic/injection.hpp"
#include "ebb/units/data.hpp"

namespace ebb::traffic {

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

}  // namespace ebb::traffic
