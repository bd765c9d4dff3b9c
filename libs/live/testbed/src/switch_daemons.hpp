// SPDX-License-Identifier: Apache-2.0
//
// The daemons of one switch: a database server and a switch daemon of Open vSwitch in a namespace
// of their own, and where they are wanted an agent, SNMP agents or a gNMI target. One pair of
// daemons a switch starts and ends faster than many bridges in one daemon, answers faster, and can
// be killed alone.
#pragma once

#include "processes.hpp"

#include "ebb/core/result.hpp"
#include "ebb/testbed/layout.hpp"
#include "ebb/testbed/manifest.hpp"

#include <string>

namespace ebb::testbed {

struct Device {
  const Node* node;
  std::string folder;  // of its database and sockets
  std::size_t number = 0;
  bool has_agent = false;  // that suppresses its ports
};

// Where the database of a switch is, for programs of Open vSwitch.
[[nodiscard]] std::string database_of(const std::string& folder);

// Programs of Open vSwitch that are told by their environment where a switch keeps its files.
[[nodiscard]] std::vector<std::string> environment_of_device(const std::string& folder);

// An empty database, the same for each switch.
[[nodiscard]] Step make_database(const std::string& file);

// In this order. Each has done its work when it returns.
[[nodiscard]] Step start_database(const Device& device);
// Bridge br0 with all its ports, and where its controller will listen: setting that later would
// delete the flows. Not waited for, because nobody has read it yet.
[[nodiscard]] Step configure_bridge(const Device& device);
[[nodiscard]] Step start_switch(const Device& device);
// Suppresses ports whose queues grow; `program` is that of ebb-agent.
[[nodiscard]] Step start_agent(const Device& device, const std::string& program);
// Longest path of a socket in `folder`; the kernel allows 107 characters.
[[nodiscard]] std::size_t longest_socket_path(const std::string& folder);

// The file that describes the database.
inline constexpr const char* kSchema = "/usr/share/openvswitch/vswitch.ovsschema";

// What makes a switch one that is managed over SNMP: net-snmp's agent, which knows the interfaces
// of its namespace, and ours beside it (ebb-agentx) for what that one does not have.
inline constexpr std::size_t kSnmpDaemons = 2;  // of a switch

[[nodiscard]] Result<void> write_snmp_settings(const Device& device);
// In this order. Each listens when it returns.
[[nodiscard]] Step start_snmp_agent(const Device& device);
[[nodiscard]] Step start_snmp_helper(const Device& device, const std::string& fabric,
                                     const StateFolder& state);

// What makes a switch one that is managed by gNMI: a target of ours in its namespace.
inline constexpr std::size_t kGnmiDaemons = 1;  // of a switch

// It listens when this returns.
[[nodiscard]] Step start_gnmi_target(const Device& device, const std::string& fabric,
                                     const StateFolder& state);

}  // namespace ebb::testbed
