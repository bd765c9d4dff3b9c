// SPDX-License-Identifier: Apache-2.0
//
// One at a time on a fabric. The lock is held by this process and by every program it has started
// for a step (`ip`, `tc`, `ovs-vsctl`), because they inherit the open file. So when `up` is killed
// the lock is free only after the last of them has ended: nothing is made after `down` has begun.
// Daemons do not inherit it.
#pragma once

#include "ebb/core/descriptor.hpp"
#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"

#include <string>

namespace ebb::testbed {

// Waits for whoever holds it, but not for ever.
[[nodiscard]] Result<Descriptor> lock_fabric(const std::string& name, const StateFolder& state);

}  // namespace ebb::testbed
