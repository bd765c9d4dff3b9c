// SPDX-License-Identifier: Apache-2.0
//
// A small fabric that is brought up, controlled and taken down again by this very program, to see
// that all of it works on this machine. Root.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"

namespace ebb::cli {

// Three switches, a host on each; one link sleeps and wakes. Stops at the first failure; whatever
// happens, nothing of it is left.
[[nodiscard]] testbed::preflight::Findings try_fabric();

}  // namespace ebb::cli
