// SPDX-License-Identifier: Apache-2.0
#include "open_vswitch.hpp"

#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <sstream>
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

bool is_on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access(fmt::format("{}/{}", folder, program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace

Errors obstacles() {
  Errors errors;
  if (geteuid() != 0)
    errors.push_back({"a fabric needs root: it makes network namespaces and interfaces", {}});
  for (const Needed& needed : kNeeded) {
    if (is_on_path(needed.program)) continue;
    errors.push_back({fmt::format("there is no '{}' on the path; Debian: apt-get install {}",
                                  needed.program, needed.package),
                      {}});
  }
  if (access(kSchema, R_OK) != 0)
    errors.push_back({"cannot be read; Debian: apt-get install openvswitch-switch", {kSchema}});
  return errors;
}

}  // namespace ebb::testbed
