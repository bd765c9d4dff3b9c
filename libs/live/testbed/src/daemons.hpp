// SPDX-License-Identifier: Apache-2.0
//
// The running daemons of a fabric, found by what they are: a program of Open vSwitch, or an
// agent of a switch, that was told to keep its process id inside the fabric's folder. So none is
// missed, whenever `up` was killed, and a number that now belongs to another process is never
// signalled.
#pragma once

#include "ebb/core/descriptor.hpp"
#include "ebb/core/result.hpp"

#include <string>
#include <vector>

namespace ebb::testbed {

// Each as a descriptor of the process: it stays the same process, whatever becomes of its number.
[[nodiscard]] std::vector<Descriptor> find_daemons(const std::string& folder);

// Politely, then not. Nothing is left when it succeeds.
[[nodiscard]] Result<void> end_daemons(const std::string& folder);

}  // namespace ebb::testbed
