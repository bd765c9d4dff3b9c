// SPDX-License-Identifier: Apache-2.0
//
// Hosts of a test fabric that ask for their addresses.
#pragma once

#include "running_fabric.hpp"

#include "ebb/core/result.hpp"

#include <cstddef>

namespace ebb::experiments {

// Every host asks its switch for its address and takes it, with the IP address that belongs to it.
// Gives how many were told the address of their place.
[[nodiscard]] Result<std::size_t> take_addresses(const RunningFabric& fabric);

}  // namespace ebb::experiments
