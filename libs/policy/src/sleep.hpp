// SPDX-License-Identifier: Apache-2.0
//
// Sleep when idle, wake with the first packet, as Energy-Efficient Ethernet (IEEE 802.3az) does on
// copper. The policy only arms a trigger, once per channel; the channel executes it.
//
// A channel that was changing when it was armed is tried again with the next sample. One that
// answers anything else than done is not asked again: it cannot, or was told not to.
#pragma once

#include "ebb/policy/registry.hpp"

namespace ebb::policy::sleep {

[[nodiscard]] Entry entry();

}  // namespace ebb::policy::sleep
