// SPDX-License-Identifier: Apache-2.0
//
// The rate at which a host sends, by a token bucket.
#pragma once

#include "steps.hpp"

#include "ebb/units/data.hpp"

#include <string>

namespace ebb::testbed {

// The first time and later: a change in place loses nothing.
[[nodiscard]] Step set_host_rate(const std::string& space, DataRate rate);

}  // namespace ebb::testbed
