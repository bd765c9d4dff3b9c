// SPDX-License-Identifier: Apache-2.0
//
// Messages whose sizes follow a published distribution, each drawn by itself. The mean gap is
// mean size / (load * rate); gaps are exponential, or all equal with a phase of the host's own.
#pragma once

#include "ebb/traffic/injection.hpp"

namespace ebb::traffic::flows {

[[nodiscard]] InjectionKind kind();

}  // namespace ebb::traffic::flows
