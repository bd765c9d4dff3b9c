// SPDX-License-Identifier: Apache-2.0
//
// Host i sends to the host whose number has every bit flipped, N-1-i. N is a power of two.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::bit_complement {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::bit_complement
