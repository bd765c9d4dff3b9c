// SPDX-License-Identifier: Apache-2.0
//
// Taking away what a manifest names.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"

namespace ebb::testbed {

// Whoever calls holds the lock. The folder goes last, so that this can be done again when it was
// interrupted.
[[nodiscard]] Result<void> remove_fabric(const Manifest& manifest, const StateFolder& state);

// The folder of a fabric of which nothing had been made.
[[nodiscard]] Result<void> remove_bare_folder(const std::string& name, const StateFolder& state);

}  // namespace ebb::testbed
