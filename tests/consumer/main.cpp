// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/power.hpp"
#include "ebb/topology/family.hpp"

#include <cstdio>

int main() {
  const auto graph = ebb::topology::build("fbfly", {{"hosts", "8"}, {"dims", "8x8"}},
                                          {ebb::gigabits_per_second(40)});
  const auto money =
      ebb::plan::energy_cost(ebb::watts(409'600), {ebb::cents_per_kwh(7), ebb::Ratio(16, 10), 4});
  std::printf("%u hosts, $%.0f\n", graph->host_count(), ebb::to_dollars(money));
  return graph->host_count() == 512 && money > ebb::dollars(1'607'000) ? 0 : 1;
}
