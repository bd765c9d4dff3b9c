// SPDX-License-Identifier: Apache-2.0
#include "ebb/simulated/control.hpp"

#include "ebb/controller/safety.hpp"
#include "ebb/fabric_config/fabric_file.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/simulated/fabric.hpp"

#include <memory>
#include <utility>

namespace ebb::simulated {
namespace {

Result<controller::Safety> read_safety(const std::string& text) {
  if (text.empty()) return controller::Safety{};
  auto safety = fabric_config::read_safety_text(text);
  if (safety) return safety;
  for (Error& error : safety.error()) error.where.path = "safety." + error.where.path;
  return fail(safety.error());
}

}  // namespace

Result<netsim::MakeControl> prepare_control(const ControlSpec& spec, const topology::Graph& graph,
                                            const policy::Made& policy,
                                            const power::Library& parts) {
  const auto safety = read_safety(spec.safety);
  if (!safety) return fail(safety.error());
  if (const auto why = controller::cannot_keep(policy, *safety))
    return fail(*why, {.path = "policy"});
  const auto port = power::port_watts(parts, spec.switch_part, spec.setup);
  if (!port) return fail(port.error());
  auto setting = fabric_setting(graph, *safety, *port);
  if (!setting) return fail(setting.error());
  const auto shared = std::make_shared<const FabricSetting>(std::move(*setting));
  return [shared](netsim::Network& network, policy::Policy& deciding) {
    return std::make_unique<Fabric>(network, deciding, *shared);
  };
}

}  // namespace ebb::simulated
