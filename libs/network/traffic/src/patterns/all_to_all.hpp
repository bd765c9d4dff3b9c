// SPDX-License-Identifier: Apache-2.0
//
// Host i sends its messages to i+1, i+2, ..., i-1 (mod N) in turn, then from i+1 again.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::all_to_all {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::all_to_all
