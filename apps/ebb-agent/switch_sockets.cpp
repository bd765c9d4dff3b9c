// SPDX-License-Identifier: Apache-2.0
#include "switch_sockets.hpp"

#include <filesystem>
#include <fstream>

namespace ebb::agent {

std::string SwitchSockets::control() const {
  const std::string daemon = folder + "/ovs-vswitchd";
  std::string process;
  std::ifstream file(daemon + ".pid");
  if (std::filesystem::exists(daemon + ".ctl") || !(file >> process)) return daemon + ".ctl";
  return daemon + "." + process + ".ctl";
}

}  // namespace ebb::agent
