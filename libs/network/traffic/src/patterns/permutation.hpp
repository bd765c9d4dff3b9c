// SPDX-License-Identifier: Apache-2.0
//
// Host i always sends to p(i). p is drawn once from the seed, uniformly among all permutations of
// the hosts that leave none in place, so it is the same table in every process of a run.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::permutation {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::permutation
