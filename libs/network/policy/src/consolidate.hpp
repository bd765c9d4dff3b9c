// SPDX-License-Identifier: Apache-2.0
//
// Each switch keeps as few of its dispensable channels open as its traffic needs, after the public
// abstract of "TCEP: Traffic Consolidation for Energy-Proportional High-Radix Networks" (ISCA
// 2018): a root network stays up (tier 0), traffic is consolidated on few links by detours, and a
// switch opens or closes one link at a time.
//
//   some open channel between switches is used more than `high`   open the first that is closed
//   none is, and the least used one of tiers > 0 less than `low`  close that one
//
// A packet that has no other way wakes a closed channel, as in stages.hpp.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::consolidate {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::consolidate
