// SPDX-License-Identifier: Apache-2.0
#include "experiments/isca_design.hpp"
#include "experiments/measure.hpp"

#include "ebb/plan/energy_cost.hpp"

namespace ebb::repro {

Result<Measurements> measure_isca_money(const power::Library&) {
  const auto millions = [](Power power) {
    return to_dollars(plan::energy_cost(power, isca_inputs().tariff)) * 1e-6;
  };
  return Measurements{{"topology_saving", millions(watts(409'600))},
                      {"fbfly", millions(watts(737'280))},
                      {"proportional_saving", millions(watts(975'000))}};
}

// Figure 1: 32k servers of 250 W beside the folded Clos. Proportional servers draw 15 % at 15 %
// load.
Result<Measurements> measure_isca_figure_1(const power::Library& parts) {
  const auto clos = isca_clos(parts);
  if (!clos) return fail(clos.error());
  const double network = to_watts(clos->watts.idle);
  const double servers = static_cast<double>(clos->parts.hosts) * 250;
  const double load = 0.15;
  return Measurements{{"share_full_load", 100 * network / (network + servers)},
                      {"share_15", 100 * network / (network + load * servers)},
                      {"saved", (1 - load) * network * 1e-3}};
}

}  // namespace ebb::repro
