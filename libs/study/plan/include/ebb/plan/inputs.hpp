// SPDX-License-Identifier: Apache-2.0
//
// What a plan is asked for.
#pragma once

#include "ebb/forwarding/table.hpp"
#include "ebb/topology/placement.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace ebb::plan {

// What a kilowatt-hour costs and how long it is paid for. The defaults are a sane point of today:
// the US industrial average of 2025 and a modern facility; the ISCA'10 paper used $0.07 and 1.6.
struct Tariff {
  EnergyPrice price = cents_per_kwh(9);
  Ratio pue{13, 10};
  int years = 4;
  // The US average of 2023: 1,532 million tonnes from 4,183,271 million kWh (EIA).
  CarbonIntensity carbon = grams_per_kwh(366);
};

// Names of parts in the library. Only the switch is needed: what is not named draws and costs
// nothing. Modules are for chips; a measured box has its modules in its port setups.
struct PartChoice {
  std::string switch_part;
  std::optional<std::string> nic;
  std::optional<std::string> electrical;
  std::optional<std::string> optical;
  std::optional<std::string> circuit_switch;  // a box; optical, between blocks of a torus
  std::optional<std::string> rate_table;      // of the links; none: that of the chip, if it has one
};

// Purchase prices, where the user has them; they take the place of those that parts have. Cables
// are priced whole: both ends and the wire.
struct Prices {
  std::optional<Money> switch_box;
  std::optional<Money> nic;
  std::optional<Money> electrical_cable;
  std::optional<Money> optical_cable;
};

// How the switches keep their forwarding rules. A CAM matches whole addresses, so its tables are
// flat.
struct TableChoice {
  std::string kind;  // as the switch part names it: "CAM" or "TCAM"
  forwarding::Detail detail = forwarding::Detail::compact;
};

struct Inputs {
  std::int64_t hosts = 0;
  DataRate rate = gigabits_per_second(40);  // of a host, over all of its interfaces
  std::int64_t planes = 1;                  // of the networks that are proposed
  Ratio oversubscription{1, 1};             // under uniform traffic
  PartChoice parts;
  Tariff tariff;
  Ratio load{15, 100};            // average utilisation of every port, each direction
  DataSize packet = bytes(1500);  // for parts that spend energy per packet
  topology::FloorPlan floor;
  Prices prices;
  std::optional<TableChoice> tables;  // none: tables draw nothing
};

}  // namespace ebb::plan
