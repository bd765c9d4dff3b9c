// SPDX-License-Identifier: Apache-2.0
//
// Time is cut into slots of one packet time, size / rate. In each slot a packet starts with
// probability `load`, decided by integers, so the expected load is exact. The slots of a host begin
// at a phase drawn from the first `spread` of a slot.
#pragma once

#include "ebb/traffic/injection.hpp"

namespace ebb::traffic::bernoulli {

[[nodiscard]] InjectionKind kind();

}  // namespace ebb::traffic::bernoulli
