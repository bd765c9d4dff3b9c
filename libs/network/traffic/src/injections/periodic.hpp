// SPDX-License-Identifier: Apache-2.0
//
// Message n is sent at phase + n * size / (load * rate), rounded down and without drift. The phase
// is drawn from the first `spread` of the interval; with spread 0 all hosts send in step.
#pragma once

#include "ebb/traffic/injection.hpp"

namespace ebb::traffic::periodic {

[[nodiscard]] InjectionKind kind();

}  // namespace ebb::traffic::periodic
