// SPDX-License-Identifier: Apache-2.0
//
// A message goes with probability `fraction` to one of `hot` hosts, each equally likely, otherwise
// to any other host as in `uniform`. The hot hosts are drawn once from the seed. A hot host picks
// among the others; the only hot host of a network sends all its messages as in `uniform`.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::hotspot {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::hotspot
