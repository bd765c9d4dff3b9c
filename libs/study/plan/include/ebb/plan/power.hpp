// SPDX-License-Identifier: Apache-2.0
//
// What a network takes: its parts, counted on the graph cable by cable, their power, and the cost
// of that energy.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/inputs.hpp"
#include "ebb/plan/tables.hpp"
#include "ebb/power/library.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/topology/placement.hpp"
#include "ebb/units/energy.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ebb::plan {

// Switches with as many cables of each medium.
struct SwitchKind {
  std::int64_t electrical_ports = 0;
  std::int64_t optical_ports = 0;
  std::int64_t switches = 0;

  bool operator==(const SwitchKind&) const = default;
};

struct PartsCount {
  std::int64_t hosts = 0;
  std::int64_t interfaces = 1;  // of a host, each with a link; planes have one each
  std::int64_t chips = 0;
  std::int64_t boxes = 0;
  std::int64_t ports_per_chip = 0;
  std::int64_t circuit_switches = 0;  // of the machine that a torus of blocks is on
  std::int64_t electrical_links = 0;
  std::int64_t optical_links = 0;
  std::int64_t backplane_links = 0;
  std::int64_t electrical_ports = 0;  // switch ports with such a cable
  std::int64_t optical_ports = 0;
  std::int64_t unused_ports = 0;  // free switch ports
  // Chip ports that draw power when each cabled port also lights the backplane it needs: a chassis
  // with i internal ports for each of its outside ports has 1 + i lit ports per cable. "Energy
  // Proportional Datacenter Networks" counts 8,192 of its 8,235 chips as powered by this rule.
  std::int64_t lit_ports = 0;
  std::vector<SwitchKind> switch_kinds;      // ascending by ports
  std::vector<topology::CableGroup> cables;  // by medium and length
  std::optional<TableCount> tables;          // where the plan asks for them
  topology::Racks racks;
};

// Only the first `hosts` hosts are connected; what the network could hold beyond stays unused.
[[nodiscard]] PartsCount count_parts(const topology::Graph& graph, std::int64_t hosts,
                                     std::int64_t ports_per_chip);

// Watts of a whole network from its parts: switches, modules and host interfaces.
struct Watts {
  Power idle;     // every link up at full rate, no traffic
  Power at_load;  // every link up at full rate, the planned load
  Power peak;     // every link at full rate, full load
  Power slowest;  // every link at its lowest rate; = idle for parts with no lower rate
  Power ideal;    // what a perfectly proportional network would draw: peak x load

  bool operator==(const Watts&) const = default;
};

// The same at the wall, where the switch part names a power supply (wall.hpp): what the supplies of
// switches lose is added. A chip draws what it does whatever the traffic, so at_load is also idle.
struct WallWatts {
  Power at_load;
  Power slowest;  // every link at its lowest rate; with less load supplies are less efficient
  Power lost;     // of at_load, in supplies

  bool operator==(const WallWatts&) const = default;
};

// What a part must bring to serve as the switch of a plan.
struct SwitchOffer {
  std::int64_t ports = 0;
  bool is_chip = false;
};

// Refuses a part that is no switch or whose ports are slower than the plan's rate.
[[nodiscard]] Result<SwitchOffer> switch_offer(const Inputs& inputs, const power::Library& library);

// The links of the switch, told from its core, and what their power follows.
struct LinkModel {
  power::Chip chip;  // with its ports at the rate of the plan
  std::string rate_table_name;
  const power::RateTable* rate_table = nullptr;

  // Of all lit ports of a network at that relative power.
  [[nodiscard]] Power links(const PartsCount& count, Ratio relative = Ratio(1, 1)) const;
};

// Nothing for a switch without a rate table, when the plan names none. Refuses a rate table that
// ends at another rate than the links have, and one for a switch of whose links nothing is known.
[[nodiscard]] Result<std::optional<LinkModel>> link_model(const Inputs& inputs,
                                                          const power::Library& library);

[[nodiscard]] Result<Watts> network_power(const PartsCount& count, const Inputs& inputs,
                                          const power::Library& library);

// Dollars for a constant power over a service life: P x PUE x years x 8,760 h x price, exact.
[[nodiscard]] Money energy_cost(Power power, const Tariff& tariff);

}  // namespace ebb::plan
