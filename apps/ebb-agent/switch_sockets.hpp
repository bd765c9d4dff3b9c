// SPDX-License-Identifier: Apache-2.0
//
// Where an Open vSwitch listens on its own machine.
#pragma once

#include <string>

namespace ebb::agent {

struct SwitchSockets {
  std::string folder;
  std::string bridge;

  [[nodiscard]] std::string database() const { return folder + "/db.sock"; }
  [[nodiscard]] std::string management() const { return folder + "/" + bridge + ".mgmt"; }
  // ovs-vswitchd.ctl, if it was told so; else its process number is in the name, and in a file
  // beside it. Another after each start.
  [[nodiscard]] std::string control() const;
};

}  // namespace ebb::agent
