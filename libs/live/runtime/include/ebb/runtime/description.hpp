// SPDX-License-Identifier: Apache-2.0
//
// What a controller makes of a fabric file before it speaks to a switch: names, tables, the power
// of ports, the policy, who sets the rates of links, and the layout of a test fabric.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/core/result.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/runtime/run.hpp"
#include "ebb/testbed/layout.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/topology/graph.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ebb::runtime {

// ---- names, as operators say them and as every output of a controller shows them

// Links of hosts are not counted.
[[nodiscard]] std::uint32_t links_between_switches(const topology::Graph& graph);
[[nodiscard]] std::vector<std::string> switch_names(const topology::Graph& graph);

// The fabric that was named, else the only one. Switches elsewhere have a controller here, but no
// manifest.
[[nodiscard]] Result<std::string> fabric_named(const std::string& name,
                                               const testbed::StateFolder& state);

// ---- what a session is made of; errors say the line of the section that they come from

// The tables of every switch, with detours.
[[nodiscard]] Result<drivers::Description> describe(const fabric_config::FabricFile& file);
// Ports draw as those of the switch of the file, at a slower rate as its setup for that rate does;
// nothing when the file names none. Modules keep their power when ports sleep, unless they sleep
// too.
[[nodiscard]] Result<power::PortWatts> port_watts(const fabric_config::FabricFile& file,
                                                  const LoadParts& load_parts,
                                                  bool modules_sleep = false);
// What the box of the file draws beside its ports; nothing when the file names none.
[[nodiscard]] Result<Power> box_watts(const fabric_config::FabricFile& file,
                                      const LoadParts& load_parts);
// Of all boxes that can be switched off: those with an outlet and without hosts.
[[nodiscard]] Power boxes_that_go_off(const topology::Graph& graph,
                                      const controller::SwitchPower& power, Power box);
// What is saved by boxes that have no power: theirs, and that of their sleeping ports.
[[nodiscard]] Power saved_by_boxes(const topology::Graph& graph,
                                   const controller::Controller& controller,
                                   const power::PortWatts& port, Power box);
// What is known of the switches, as far as a policy needs it to act.
struct LiveAbilities {
  std::string world = "testbed";  // of policy::worlds()
  bool links_sleep = true;        // at least one link between switches may
  // Why a policy would change nothing on these switches (policy::Policy::objection). Empty: they
  // are not known yet.
  std::function<std::optional<std::string>(const policy::Policy&)> objection = {};
};
// Of switches with these tables. Keeps references to the first three.
[[nodiscard]] LiveAbilities abilities_on(const forwarding::TableWalker& walker,
                                         const forwarding::SleepableLinks& sleepable,
                                         const power::PortWatts& port, const std::string& world);
// The policy of the file: one that can decide by what live switches tell, and can act on them.
[[nodiscard]] Result<policy::Made> live_policy(const fabric_config::FabricFile& file,
                                               const LiveAbilities& can = {});
// One that was made elsewhere, in the place of the policy of the file.
[[nodiscard]] Result<policy::Made> live_policy(const fabric_config::FabricFile& file,
                                               const LiveAbilities& can, policy::Made made);

// Sets rates by the token buckets of the test fabric of that file; empty when it is not up.
[[nodiscard]] drivers::RateSetter rates_of(const fabric_config::FabricFile& file,
                                           const testbed::StateFolder& state);
// What active links between switches draw less than at their full rates; in a dry run what they
// would.
[[nodiscard]] Power saved_by_rates(const topology::Graph& graph,
                                   const controller::Controller& controller,
                                   const power::PortWatts& port);

// ---- the test fabric of a file: nodes, addresses, cables, also for other tools that make networks

// Reads the fabric file.
[[nodiscard]] Result<testbed::Layout> layout_of(const std::string& path);
// Ports are numbered as OpenFlow numbers them, from 1.
[[nodiscard]] nlohmann::ordered_json layout_json(const testbed::Layout& layout);
[[nodiscard]] std::string ipv4_text(std::uint32_t address);

}  // namespace ebb::runtime
