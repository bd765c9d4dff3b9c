// SPDX-License-Identifier: Apache-2.0
//
// Every message of group g goes to a host of group (g + offset) mod G, each equally likely: with
// offset 1 the worst case of minimal routing on a Dragonfly, whose groups are joined by one link.
#pragma once

#include "ebb/traffic/pattern.hpp"

namespace ebb::traffic::group_adversarial {

[[nodiscard]] PatternKind kind();

}  // namespace ebb::traffic::group_adversarial
