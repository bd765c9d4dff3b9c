// SPDX-License-Identifier: Apache-2.0
//
// Minimal adaptive routing on a flattened butterfly: any coordinate that is still wrong may be
// corrected next. Every link taken corrects one, so the number of links taken is the virtual
// channel, and n dimensions need n of them.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::minimal_adaptive {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::minimal_adaptive
