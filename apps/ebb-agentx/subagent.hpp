// SPDX-License-Identifier: Apache-2.0
//
// The objects of a switch, registered with the SNMP agent beside us (AgentX, RFC 2741):
//
//   dot1dBasePortIfIndex, read only    the numbers that the next one counts by: port p3 is 3
//   dot1qPvid                          the VLAN of frames without a tag
//   ifMauDefaultType                   the rate; 0.0, unknown, until it was set
//   an outlet of a test fabric         the power of the switch: its daemons
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/fabric.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::agentx {

// The ports of one switch of a test fabric, as its agent changes them: PVIDs are in the database of
// Open vSwitch, rates are queues of the kernel. Every call waits until it is done.
class SwitchPorts {
 public:
  SwitchPorts(testbed::Manifest fabric, testbed::StateFolder state, std::size_t number);

  // ifIndex of each, p1 first: the process is in the namespace of the switch.
  [[nodiscard]] std::vector<std::uint32_t> interfaces() const;
  // Ports are counted from 1. A port that has none takes frames without a tag into VLAN 1.
  [[nodiscard]] Result<std::uint16_t> pvid(std::size_t port) const;
  [[nodiscard]] Result<void> set_pvid(std::size_t port, std::uint16_t vlan) const;
  [[nodiscard]] Result<void> set_rate(std::size_t port, DataRate rate) const;
  [[nodiscard]] bool has_power() const;
  [[nodiscard]] Result<void> set_power(bool on) const;

 private:
  testbed::Manifest fabric_;
  testbed::StateFolder state_;
  std::size_t number_;
};

// The ports outlive the process's answering.
[[nodiscard]] Result<void> register_objects(const SwitchPorts& ports, const std::string& socket);
// Does not return.
[[noreturn]] void answer_for_ever();

}  // namespace ebb::agentx
