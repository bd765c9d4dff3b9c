// SPDX-License-Identifier: Apache-2.0
//
// Dimension order: correct the first coordinate, then the second, and so on. The route is fixed but
// for parallel links and rings with two equally short ways round.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::dimension_order {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::dimension_order
