// SPDX-License-Identifier: Apache-2.0
#include "command_line/live_half.hpp"

#include "command_line/inputs.hpp"

#include "ebb/experiments/experiments.hpp"
#include "ebb/simulated/control.hpp"

namespace ebb::cli {
config::PrepareControl fabric_control(const power::Library& parts) {
  return [&parts](const config::Simulation& simulation) {
    const config::SimSpec& spec = simulation.spec;
    return simulated::prepare_control({spec.fabric->safety, spec.switch_part, spec.fabric->setup},
                                      *simulation.graph, simulation.policy, parts);
  };
}

repro::LiveMeasures live_measures() {
  const auto parts = [] { return load_parts({}); };
  return {{"B7", [parts] { return experiments::dynamic_mac_protocol(parts); }},
          {"D4", [parts] { return experiments::make_before_break(parts); }}};
}

}  // namespace ebb::cli
