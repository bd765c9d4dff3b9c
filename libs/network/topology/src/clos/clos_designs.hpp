// SPDX-License-Identifier: Apache-2.0
//
// Folded Closes for a demand: one per number of levels that can hold it.
#pragma once

#include "ebb/topology/family.hpp"

#include <vector>

namespace ebb::topology::clos {

[[nodiscard]] std::vector<ParameterTexts> designs(const Demand& demand);

}  // namespace ebb::topology::clos
