// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"

#include <string>

namespace ebb::cli {

// The fabric that was named, else the only one. Switches elsewhere have a controller here, but no
// manifest.
[[nodiscard]] Result<std::string> fabric_named(const std::string& name,
                                               const testbed::StateFolder& state);

}  // namespace ebb::cli
