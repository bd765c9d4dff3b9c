// SPDX-License-Identifier: Apache-2.0
#include "command_line/live_half.hpp"

#include "command_line/inputs.hpp"

#include "ebb/controller/safety.hpp"
#include "ebb/experiments/experiments.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/simulated/fabric.hpp"

#include <memory>
#include <utility>

namespace ebb::cli {
namespace {

Result<controller::Safety> safety_of(const config::FabricSpec& fabric) {
  if (fabric.safety.empty()) return controller::Safety{};
  auto safety = fabric_config::read_safety_text(fabric.safety);
  if (safety) return safety;
  for (Error& error : safety.error()) error.where.path = "safety." + error.where.path;
  return fail(safety.error());
}

Result<netsim::MakeControl> control_of(const config::Simulation& simulation,
                                       const power::Library& parts) {
  const auto safety = safety_of(*simulation.spec.fabric);
  if (!safety) return fail(safety.error());
  if (const auto why = controller::cannot_keep(simulation.policy, *safety))
    return fail(*why, {.path = "policy"});
  const auto port =
      power::port_watts(parts, simulation.spec.switch_part, simulation.spec.fabric->setup);
  if (!port) return fail(port.error());
  auto setting = simulated::fabric_setting(*simulation.graph, *safety, *port);
  if (!setting) return fail(setting.error());
  const auto shared = std::make_shared<const simulated::FabricSetting>(std::move(*setting));
  return [shared](netsim::Network& network, policy::Policy& policy) {
    return std::make_unique<simulated::Fabric>(network, policy, *shared);
  };
}

}  // namespace

config::PrepareControl fabric_control(const power::Library& parts) {
  return [&parts](const config::Simulation& simulation) { return control_of(simulation, parts); };
}

repro::LiveMeasures live_measures() {
  const auto parts = [] { return load_parts({}); };
  return {{"B7", [parts] { return experiments::dynamic_mac_protocol(parts); }},
          {"D4", [parts] { return experiments::make_before_break(parts); }}};
}

}  // namespace ebb::cli
