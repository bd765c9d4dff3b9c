// SPDX-License-Identifier: Apache-2.0
//
// The time of day: certificates are valid by it, and log and audit trail are written with it. The
// controller itself goes by a clock that nobody can set.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"

namespace ebb::testbed::preflight {

[[nodiscard]] Finding look_at_clock();

}  // namespace ebb::testbed::preflight
