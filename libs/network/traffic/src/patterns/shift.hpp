// SPDX-License-Identifier: Apache-2.0
//
// Host i always sends to (i + by) mod N.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::shift {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::shift
