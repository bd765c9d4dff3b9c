// SPDX-License-Identifier: Apache-2.0
//
// The folder that fabrics are kept in: sockets in it command switches.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"

#include <string>

namespace ebb::testbed::preflight {

// Writes and removes a file in it; makes no folder that is not there.
[[nodiscard]] Finding look_at_folder(const std::string& path);

}  // namespace ebb::testbed::preflight
