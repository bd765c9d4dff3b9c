// SPDX-License-Identifier: Apache-2.0
//
// What switches the ports of a fabric, by name: at the boxes of a test fabric, or at switches
// elsewhere that a file names.
#pragma once

#include "ebb/drivers/live_fabric.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/testbed/manifest.hpp"

#include <optional>
#include <string>

namespace ebb::runtime {

struct FabricSite {
  testbed::StateFolder state;
  std::string fabric;
  std::uint32_t switches = 0;
  std::string devices;   // a file; empty: the boxes of a test fabric
  bool modules = false;  // are switched with their ports, by drivers that can
};

// Makes nothing for "openflow": the connection that brings the tables does it. An error for a name
// that there is not, for what the switches of the fabric do not have, and for what this ebb was
// built without.
[[nodiscard]] Result<drivers::PortsOn> ports_by(const std::string& name, const FabricSite& site);
[[nodiscard]] Result<drivers::PortsOn> ports_by_snmp(const FabricSite& site);
[[nodiscard]] Result<drivers::PortsOn> ports_by_gnmi(const FabricSite& site);

}  // namespace ebb::runtime
