// SPDX-License-Identifier: Apache-2.0
//
// What this user may do.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"

namespace ebb::testbed::preflight {

// Test fabrics are made by root.
[[nodiscard]] Finding look_at_user();

}  // namespace ebb::testbed::preflight
