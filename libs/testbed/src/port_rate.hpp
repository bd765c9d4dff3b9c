// SPDX-License-Identifier: Apache-2.0
//
// The rate at which a port sends, by a token bucket. Not by Open vSwitch's own queues: it makes
// them anew whenever a port of the switch changes, and what waits in them is lost.
#pragma once

#include "steps.hpp"

#include "ebb/units/data.hpp"

#include <string>

namespace ebb::testbed {

// The first time and later: a change in place loses nothing.
[[nodiscard]] Step set_port_rate(const std::string& space, const std::string& port, DataRate rate);

}  // namespace ebb::testbed
