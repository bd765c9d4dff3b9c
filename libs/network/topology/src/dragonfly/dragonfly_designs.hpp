// SPDX-License-Identifier: Apache-2.0
//
// The Dragonfly with the fewest switches for a demand, and the balanced one (a = 2p = 2h).
#pragma once

#include "ebb/topology/family.hpp"

#include <vector>

namespace ebb::topology::dragonfly {

[[nodiscard]] std::vector<ParameterTexts> designs(const Demand& demand);

}  // namespace ebb::topology::dragonfly
