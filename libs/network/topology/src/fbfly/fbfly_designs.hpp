// SPDX-License-Identifier: Apache-2.0
//
// The flattened butterflies with the fewest switches for a demand, one per number of dimensions.
#pragma once

#include "ebb/topology/family.hpp"

#include <vector>

namespace ebb::topology::fbfly {

[[nodiscard]] std::vector<ParameterTexts> designs(const Demand& demand);

}  // namespace ebb::topology::fbfly
