// SPDX-License-Identifier: Apache-2.0
// What can be done to one switch or host of a fabric.
#include "host_rate.hpp"
#include "network_namespace.hpp"
#include "open_vswitch.hpp"

#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace ebb::testbed {

Result<void> set_rate(const Manifest& fabric, const StateFolder& state, std::size_t member,
                      std::size_t port, DataRate rate) {
  if (member >= fabric.switches)
    return run_all({set_host_rate(fabric.members[member].space, rate)});
  return run_all({change_rate_of_switch_port(state.box(fabric.name, member),
                                             fmt::format("p{}", port + 1), rate)});
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
