// SPDX-License-Identifier: Apache-2.0
#include "exascale_networks.hpp"

#include <array>

namespace ebb::repro {

std::span<const ExascaleNetwork> exascale_networks() {
  static const std::array<ExascaleNetwork, 3> networks = {
      {{"clos", "Clos", "clos", {{"levels", "4"}, {"ports", "72"}, {"hosts", "303264"}}},
       {"fbfly",
        "flattened butterfly",
        "fbfly",
        {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}},
       {"dragonfly",
        "Dragonfly",
        "dragonfly",
        {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}}}};
  return networks;
}

Result<topology::Graph> build(const ExascaleNetwork& network) {
  return topology::build(network.family, network.parameters, {gigabits_per_second(40)});
}

}  // namespace ebb::repro
