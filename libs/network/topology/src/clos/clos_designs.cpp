// SPDX-License-Identifier: Apache-2.0
#include "clos/clos_designs.hpp"

#include <string>

namespace ebb::topology::clos {
namespace {

// Host ports of a leaf: D / (P - D) <= oversubscription.
std::int64_t host_ports(const Demand& demand) {
  const Ratio& o = demand.oversubscription;
  return demand.ports * o.num() / (o.num() + o.den());
}

ParameterTexts shape(const Demand& demand, int levels, std::int64_t hosts) {
  return {{"levels", std::to_string(levels)},
          {"ports", std::to_string(demand.ports)},
          {"hosts", std::to_string(hosts)},
          {"down", std::to_string(host_ports(demand))}};
}

}  // namespace

// Partly filled blocks may not reach every switch above them; then the hosts are rounded up to
// whole leaves, halves of blocks and whole blocks, whichever works first.
std::vector<ParameterTexts> designs(const Demand& demand) {
  std::vector<ParameterTexts> found;
  const std::int64_t leaf = host_ports(demand);
  if (demand.ports < 2 || demand.ports % 2 != 0 || leaf < 1) return found;
  const std::int64_t half = demand.ports / 2;
  for (int levels = 2; levels <= 4; ++levels) {
    std::int64_t block = leaf;
    std::vector<std::int64_t> steps{1, leaf};
    for (int level = 2; level < levels; ++level) {
      block *= half;
      steps.push_back(block / 2);
      steps.push_back(block);
    }
    for (const std::int64_t step : steps) {
      if (step < 1) continue;
      auto candidate = shape(demand, levels, (demand.hosts + step - 1) / step * step);
      if (!topology::figures("clos", candidate)) continue;
      found.push_back(std::move(candidate));
      break;
    }
  }
  return found;
}

}  // namespace ebb::topology::clos
