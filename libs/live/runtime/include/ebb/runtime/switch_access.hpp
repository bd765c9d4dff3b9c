// SPDX-License-Identifier: Apache-2.0
//
// How a controller reaches its switches: where they connect to it by OpenFlow, and the driver that
// switches their ports (OpenFlow, SNMP or gNMI).
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/transport/stream.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ebb::runtime {

// Where remote switches connect, as "tcp:127.0.0.1:6653" or "ssl:127.0.0.1:6653" (Open vSwitch's
// word for TLS).
struct RemoteListener {
  std::string listen;  // empty: none
  transport::TlsFiles tls;
  bool other_machines = false;  // else addresses that they reach are refused
  bool insecure = false;        // else what others on the path can read and change is refused
};

// Open vSwitch says ssl for TLS, and so do its users.
[[nodiscard]] Result<transport::Address> parse_listen_address(const std::string& text);
// Reads the address and refuses what is unsafe; opens nothing.
[[nodiscard]] Result<transport::Address> address_of(const RemoteListener& remote);

[[nodiscard]] Result<transport::Listener> open_remote_listener(
    transport::Loop& loop, const RemoteListener& remote, transport::Listener::Accepted accepted);
// Where a switch of a test fabric looks for its controller.
[[nodiscard]] Result<transport::Listener> open_switch_listener(
    transport::Loop& loop, const std::string& device_folder,
    transport::Listener::Accepted accepted);

// The switches whose ports are switched: those of a test fabric, or those elsewhere that a file
// names.
struct FabricSite {
  testbed::StateFolder state;
  std::string fabric;
  std::vector<std::string> switches;  // their names
  std::string devices;                // a file; empty: the switches of a test fabric
  bool modules = false;               // are switched with their ports, by drivers that can
  bool insecure = false;              // also plain gNMI and SNMP of version 2c to other machines
};

// The drivers that there are: "openflow", "snmp", "gnmi".
[[nodiscard]] Result<void> validate_driver(const std::string& name);

// Makes nothing for "openflow": the connection that brings the tables does it. An error for a name
// that there is not, for what the switches of the fabric do not have, and for what this ebb was
// built without.
[[nodiscard]] Result<drivers::PortsOn> ports_by(const std::string& name, const FabricSite& site);

}  // namespace ebb::runtime
