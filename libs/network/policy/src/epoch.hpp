// SPDX-License-Identifier: Apache-2.0
//
// The heuristic of "Energy Proportional Datacenter Networks" (Abts et al., ISCA 2010), Section 3.3:
// at the end of each epoch, "if the actual utilization is less than the target, we detune the speed
// of the link to half the current rate, down to the minimum. If the utilization exceeds the target,
// then the link rate is doubled up to the maximum." Half and double are one step of the ladder.
//
//   busy * den < num * window   one step slower       target = num / den, products in 128 bits
//   busy * den > num * window   one step faster
//   equal                       stay: neither "less than" nor "exceeds"
//
// Paired: both directions of a link get the faster of their two wishes, because "the link pair must
// be reconfigured together to match the requirements of the channel with the highest load" (3.3.1).
// A link of which one direction is changing, asleep or not sampled is left alone. Independent: each
// direction by itself.
//
// Variants of "Energy proportional datacenter networks" as patented, and of Section 5.1: moves to
// the ends of the ladder, "without going through the intermediate steps"; the population count of a
// bit array, one bit for each part of the epoch, instead of exact busy time; "per-link epochs with
// staggered end times to ensure alternative paths".
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::epoch {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::epoch
