// SPDX-License-Identifier: Apache-2.0
#include "ebb/snmp/outlets.hpp"
#include "ebb/snmp/ports.hpp"

namespace ebb::snmp {

#ifdef EBB_HAVE_SNMP

Result<drivers::PortsOn> ports_on(std::function<Agent(std::uint32_t device)> agent_of) {
  return [agent_of = std::move(agent_of)](transport::Loop& loop) -> drivers::MakePorts {
    return [&loop, agent_of](std::uint32_t device, drivers::PortEvents events) {
      return std::make_unique<Ports>(loop, agent_of(device), std::move(events));
    };
  };
}

#else

Result<drivers::PowerOn> outlets_on(std::map<std::uint32_t, Outlet> /*outlets*/) {
  return fail("this ebb was built without SNMP; Debian: apt-get install libsnmp-dev, build again");
}

Result<drivers::PortsOn> ports_on(std::function<Agent(std::uint32_t device)> /*agent_of*/) {
  return fail("this ebb was built without SNMP; Debian: apt-get install libsnmp-dev, build again");
}

#endif

}  // namespace ebb::snmp
