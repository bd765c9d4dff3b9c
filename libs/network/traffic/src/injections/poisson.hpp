// SPDX-License-Identifier: Apache-2.0
//
// Messages as a Poisson process: gaps are exponential with mean size / (load * rate), each rounded
// to the nearest picosecond. The first message is one gap after time 0.
#pragma once

#include "ebb/traffic/injection.hpp"

namespace ebb::traffic::poisson {

[[nodiscard]] InjectionKind kind();

}  // namespace ebb::traffic::poisson
