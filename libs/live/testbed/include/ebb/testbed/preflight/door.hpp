// SPDX-License-Identifier: Apache-2.0
//
// Where switches elsewhere will reach the controller.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"
#include "ebb/transport/address.hpp"

namespace ebb::testbed::preflight {

// Listens there for a moment: whether the address is ours and nobody else has the port.
[[nodiscard]] Finding try_door(const transport::Address& address);

}  // namespace ebb::testbed::preflight
