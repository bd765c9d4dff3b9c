// SPDX-License-Identifier: Apache-2.0
//
// Tori and meshes for a demand: near-cubes with as many parallel links as uniform traffic needs.
#pragma once

#include "ebb/topology/family.hpp"

#include <string_view>
#include <vector>

namespace ebb::topology::grid {

// The two with the fewest switches among the best of 2 to 6 dimensions.
[[nodiscard]] std::vector<ParameterTexts> designs(std::string_view family, const Demand& demand);

}  // namespace ebb::topology::grid
