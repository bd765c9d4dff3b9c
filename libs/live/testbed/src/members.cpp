// SPDX-License-Identifier: Apache-2.0
// What can be done to one switch or host of a fabric.
#include "network_namespace.hpp"
#include "open_vswitch.hpp"
#include "port_rate.hpp"

#include "ebb/testbed/fabric.hpp"

#include <cstdlib>

namespace ebb::testbed {

Result<void> set_rate(const Manifest& fabric, std::size_t member, std::size_t port, DataRate rate) {
  return run_all(
      {set_port_rate(fabric.members[member].space, port_name(fabric, member, port), rate)});
}

Result<void> move_into(const Manifest& fabric, const StateFolder& state, std::size_t member) {
  if (member < fabric.switches) {
    for (std::string& setting : environment_of_box(state.box(fabric.name, member))) {
      const std::size_t equals = setting.find('=');
      setenv(setting.substr(0, equals).c_str(), setting.c_str() + equals + 1, 1);
    }
  }
  return move_into_namespace(fabric.members[member].space);
}

}  // namespace ebb::testbed
