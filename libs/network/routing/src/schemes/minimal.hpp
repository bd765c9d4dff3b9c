// SPDX-License-Identifier: Apache-2.0
//
// Minimal routing on a dragonfly: local, global, local; the fewest links with one global link
// between groups, choosing among parallel ones. A way over a third group can be shorter in links
// but would burden two global links, so it is not taken.
#pragma once

#include "ebb/routing/scheme.hpp"

namespace ebb::routing::minimal {

[[nodiscard]] Scheme scheme();

}  // namespace ebb::routing::minimal
