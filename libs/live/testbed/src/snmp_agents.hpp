// SPDX-License-Identifier: Apache-2.0
//
// What makes a switch one that is managed over SNMP: net-snmp's agent, which knows the interfaces
// of its namespace, and ours beside it (ebb-agentx) for what that one does not have.
#pragma once

#include "open_vswitch.hpp"

#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"

namespace ebb::testbed {

inline constexpr std::size_t kSnmpDaemons = 2;  // of a switch

[[nodiscard]] Result<void> write_snmp_settings(const Box& box);
// In this order. Each listens when it returns.
[[nodiscard]] Step start_snmp_agent(const Box& box);
[[nodiscard]] Step start_snmp_helper(const Box& box, const std::string& fabric,
                                     const StateFolder& state);

}  // namespace ebb::testbed
