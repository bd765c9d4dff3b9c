// SPDX-License-Identifier: Apache-2.0
//
// What makes a switch one that is managed by gNMI: a target of ours in its namespace.
#pragma once

#include "open_vswitch.hpp"

namespace ebb::testbed {

inline constexpr std::size_t kGnmiDaemons = 1;  // of a switch

// It listens when this returns.
[[nodiscard]] Step start_gnmi_target(const Box& box);

}  // namespace ebb::testbed
