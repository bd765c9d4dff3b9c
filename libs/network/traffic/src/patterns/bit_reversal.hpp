// SPDX-License-Identifier: Apache-2.0
//
// Host i sends to the host whose number has the bits in reverse order. N is a power of two. Hosts
// with a palindromic number stay silent.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::bit_reversal {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::bit_reversal
