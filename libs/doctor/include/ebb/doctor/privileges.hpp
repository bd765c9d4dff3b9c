// SPDX-License-Identifier: Apache-2.0
//
// What this user may do.
#pragma once

#include "ebb/doctor/finding.hpp"

namespace ebb::doctor {

// Test fabrics are made by root.
[[nodiscard]] Finding look_at_user();

}  // namespace ebb::doctor
