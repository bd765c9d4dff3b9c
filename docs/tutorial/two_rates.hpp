// SPDX-License-Identifier: Apache-2.0
//
// A channel runs at its full rate or at its slowest rate, and at no rate between them. It goes to
// its full rate when more than `queued` waits for it, and to its slowest rate when nothing waits
// and it was busy for less than `low` of the last period. In every other case it keeps its rate.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::two_rates {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::two_rates
