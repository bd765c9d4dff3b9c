// SPDX-License-Identifier: Apache-2.0
//
// A Poisson process of one load until `at` and of another from then on: what a network and its
// policy do when the load changes suddenly. Exponential gaps have no memory, so a gap that would
// reach beyond `at` is drawn anew from there.
#pragma once

#include "ebb/traffic/injection.hpp"

namespace ebb::traffic::jump {

[[nodiscard]] InjectionKind kind();

}  // namespace ebb::traffic::jump
