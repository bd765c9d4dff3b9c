// SPDX-License-Identifier: Apache-2.0
//
// The lower bound of rate control: every channel awake at its slowest rate, whatever the traffic.
// No policy that keeps channels awake draws less, and none should be slower.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::always_slowest {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::always_slowest
