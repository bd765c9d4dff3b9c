// SPDX-License-Identifier: Apache-2.0
#include "open_vswitch.hpp"

#include "ebb/core/program_path.hpp"
#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <array>
#include <span>
#include <unistd.h>

namespace ebb::testbed {
namespace {

struct Needed {
  const char* program;
  const char* package;
};

constexpr std::array kNeeded = {Needed{"ovsdb-tool", "openvswitch-switch"},
                                Needed{"ovsdb-server", "openvswitch-switch"},
                                Needed{"ovs-vsctl", "openvswitch-switch"},
                                Needed{"ovs-vswitchd", "openvswitch-switch"},
                                Needed{"ip", "iproute2"},
                                Needed{"tc", "iproute2"}};

constexpr std::array kNeededForSnmp = {Needed{"snmpd", "snmpd"}};
// Ours: built where libsnmp-dev is installed.
constexpr const char* kHelper = "ebb-agentx";

void look_for(std::span<const Needed> programs, Errors& errors) {
  for (const Needed& needed : programs) {
    if (program_path(needed.program)) continue;
    errors.push_back({fmt::format("there is no '{}' on the path; Debian: apt-get install {}",
                                  needed.program, needed.package),
                      {}});
  }
}

}  // namespace

Errors obstacles() {
  Errors errors;
  if (geteuid() != 0)
    errors.push_back({"a fabric needs root: it makes network namespaces and interfaces", {}});
  look_for(kNeeded, errors);
  if (access(kSchema, R_OK) != 0)
    errors.push_back({"cannot be read; Debian: apt-get install openvswitch-switch", {kSchema}});
  return errors;
}

Errors obstacles_of_snmp() {
  Errors errors;
  look_for(kNeededForSnmp, errors);
  if (!program_path(kHelper)) {
    errors.push_back({fmt::format("there is no '{}' on the path; it comes with an ebb that is "
                                  "built where libsnmp-dev is installed",
                                  kHelper),
                      {}});
  }
  return errors;
}

}  // namespace ebb::testbed
