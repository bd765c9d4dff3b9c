// SPDX-License-Identifier: Apache-2.0
//
// Every message goes to one of the N-1 other hosts, each equally likely.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::uniform {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::uniform
