// SPDX-License-Identifier: Apache-2.0
//
// Sets the rates of ports where the driver of the ports cannot: beside OpenFlow on a test fabric.
// Answers at once. The loop waits for it, so it must be quick.
#pragma once

#include "ebb/forwarding/ports.hpp"
#include "ebb/core/result.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <functional>

namespace ebb::drivers {

struct RateSetter {
  std::function<Result<void>(std::uint32_t device, forwarding::PortNumber port, DataRate rate)> set;
  // As the port was found: a controller that starts takes over what another has set.
  std::function<Result<DataRate>(std::uint32_t device, forwarding::PortNumber port)> read;
};

}  // namespace ebb::drivers
