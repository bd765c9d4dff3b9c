// SPDX-License-Identifier: Apache-2.0
//
// The baseline: every channel awake at its full rate. A channel found elsewhere is brought back, so
// a world may start in any state.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::always_on {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::always_on
