// SPDX-License-Identifier: Apache-2.0
//
// The power of switches by gNMI: the leaf power-admin-state of a component of OpenConfig
// (openconfig-platform-linecard), POWER_ENABLED or POWER_DISABLED. The target that has it is not
// the part that loses its power: a supervisor, or the controller of a chassis.
//
//   const auto power = components_on({{6, {*address, "linecard1"}}}, {});
//   (*power)(loop)->set_power(6, false, [](bool ok, const std::string& why) { ... });
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/drivers/power_driver.hpp"
#include "ebb/gnmi/gnmi_ports.hpp"
#include "ebb/transport/address.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace ebb::gnmi {

struct PoweredComponent {
  transport::Address target;
  std::string component;
};

// By switch. Certificates are read here, once.
[[nodiscard]] Result<drivers::PowerOn> components_on(
    std::map<std::uint32_t, PoweredComponent> components, const ClientOptions& options);

}  // namespace ebb::gnmi
