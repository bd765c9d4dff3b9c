// SPDX-License-Identifier: Apache-2.0
//
// Never above a share of full power. Every channel runs at its slowest step; what is left of the
// cap is handed out as permissions to run at full rate while something waits, to those that need it
// most. A permission that is taken back counts until the channel has slowed down, so that even all
// of them together cannot exceed the cap:
//
//   sum of slowest + sum of (full - slowest) over channels that are, may be or were fast <= cap
//
// Need is what a channel has waiting and what it sent in the last period; one that has a permission
// counts twice, so that permissions do not wander between equals.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::power_cap {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::power_cap
