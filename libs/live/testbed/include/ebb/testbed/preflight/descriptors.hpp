// SPDX-License-Identifier: Apache-2.0
//
// Files and sockets that a process may have open.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"

#include <cstdint>

namespace ebb::testbed::preflight {

// That a controller of so many switches has open at most.
[[nodiscard]] std::uint64_t descriptors_needed(std::uint32_t switches);
[[nodiscard]] Finding look_at_descriptors(std::uint32_t switches);

}  // namespace ebb::testbed::preflight
