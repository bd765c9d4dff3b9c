// SPDX-License-Identifier: Apache-2.0
#include "fabric/ports.hpp"

#include "ebb/core/suggest.hpp"

#include <vector>

namespace ebb::cli {

Result<drivers::PortsOn> ports_by(const std::string& name, const FabricSite& site) {
  if (name == "snmp") return ports_by_snmp(site);
  if (name == "gnmi") return ports_by_gnmi(site);
  if (name != "openflow") {
    return fail(unknown_name("driver of ports", name,
                             std::vector<std::string>{"gnmi", "openflow", "snmp"}));
  }
  if (!site.devices.empty()) return fail("--devices is for --ports snmp and --ports gnmi");
  return [](transport::Loop&) { return drivers::MakePorts{}; };
}

}  // namespace ebb::cli
