// SPDX-License-Identifier: Apache-2.0
//
// The objects of a switch, registered with the SNMP agent beside us (AgentX, RFC 2741):
//
//   dot1dBasePortIfIndex, read only    the numbers that the next one counts by: port p3 is 3
//   dot1qPvid                          the VLAN of frames without a tag
//   ifMauDefaultType                   the rate; 0.0, unknown, until it was set
#pragma once

#include "switch_ports.hpp"

#include <string>

namespace ebb::agentx {

// The ports outlive the process's answering.
[[nodiscard]] Result<void> register_objects(const SwitchPorts& ports, const std::string& socket);
// Does not return.
[[noreturn]] void answer_for_ever();

}  // namespace ebb::agentx
