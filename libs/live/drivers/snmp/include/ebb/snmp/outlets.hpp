// SPDX-License-Identifier: Apache-2.0
//
// Power outlets that are managed over SNMP: an object of a power distribution unit is set to one
// number to switch an outlet on, and to another to switch it off. Which object and which numbers
// differ between makers; most have 1 and 2.
//
//   outlets_on({{6, {{.address = "udp:192.0.2.9:161", .who = user}, object}}})
//
//   1.3.6.1.4.1.318.1.1.4.4.2.1.3.5   outlet 5 of a unit of APC (sPDUOutletCtl): 1 on, 2 off
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/drivers/power_driver.hpp"
#include "ebb/snmp/session.hpp"

#include <cstdint>
#include <map>

namespace ebb::snmp {

struct Outlet {
  Agent agent;  // outlets of one address share a session
  Oid object;
  std::int64_t on = 1;
  std::int64_t off = 2;
};

// By switch. An error when this ebb was built without SNMP.
[[nodiscard]] Result<drivers::PowerOn> outlets_on(std::map<std::uint32_t, Outlet> outlets);

}  // namespace ebb::snmp
