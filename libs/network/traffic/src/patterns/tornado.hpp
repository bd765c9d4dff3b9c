// SPDX-License-Identifier: Apache-2.0
//
// Half way round minus one, the worst case of minimal routing on rings (Dally and Towles,
// Principles and Practices of Interconnection Networks, Section 3.2). On a grid every coordinate x
// of k moves to (x + ceil(k/2) - 1) mod k and the place at the switch stays; on other networks the
// hosts form one ring: i sends to (i + ceil(N/2) - 1) mod N.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::tornado {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::tornado
