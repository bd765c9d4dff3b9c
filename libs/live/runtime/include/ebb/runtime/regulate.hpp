// SPDX-License-Identifier: Apache-2.0
//
// VLAN trees on a fabric that is up, with the links closed or slowed that known traffic does not
// need. A plan changes nothing; `carry_out_regulation` brings the switches to it without a break.
#pragma once

#include "ebb/controller/link_regulation.hpp"
#include "ebb/drivers/reconfiguration.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/forwarding/address.hpp"
#include "ebb/forwarding/vlan_trees.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/runtime/run.hpp"
#include "ebb/testbed/manifest.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace ebb::runtime {

struct RegulateOptions {
  std::string file;
  std::string traffic;  // a matrix; empty: all links are open
  std::string peak;     // an amount; empty: what the busiest link carries with all open
  bool slow = false;
};

struct RegulationPlan {
  fabric_config::FabricFile file;
  forwarding::AddressPlan addresses;
  forwarding::VlanNetwork network;
  controller::LinkRegulation regulation;
  power::PortWatts port;
};

[[nodiscard]] Result<RegulationPlan> plan_regulation(const RegulateOptions& options,
                                                     const LoadParts& load_parts);
// An error also where a controller runs on that fabric.
[[nodiscard]] Result<drivers::ReconfigurationCounts> carry_out_regulation(
    const RegulationPlan& plan, const testbed::StateFolder& state);
// What is open, what that draws, and what was moved, if something was.
[[nodiscard]] nlohmann::ordered_json regulation_json(
    const RegulationPlan& plan, const std::optional<drivers::ReconfigurationCounts>& moved);

}  // namespace ebb::runtime
