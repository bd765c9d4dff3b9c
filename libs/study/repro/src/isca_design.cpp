// SPDX-License-Identifier: Apache-2.0
#include "isca_design.hpp"

namespace ebb::repro {

plan::Inputs isca_inputs() {
  plan::Inputs inputs;
  inputs.hosts = 32'768;
  inputs.rate = gigabits_per_second(40);
  inputs.parts = {.switch_part = "isca10-chip", .nic = "isca10-nic"};
  inputs.tariff = {.price = cents_per_kwh(7), .pue = Ratio(16, 10), .years = 4};
  return inputs;
}

Result<plan::Design> isca_fbfly(const power::Library& parts) {
  return plan::evaluate({"8-ary 5-flat", "fbfly", {{"hosts", "8"}, {"dims", "8x8x8x8"}}},
                        isca_inputs(), parts);
}

Result<plan::Design> isca_clos(const power::Library& parts) {
  return plan::evaluate({"folded Clos", "clos_chassis", {{"hosts", "32768"}, {"chip_ports", "36"}}},
                        isca_inputs(), parts);
}

}  // namespace ebb::repro
