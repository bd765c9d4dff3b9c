// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/step_watts.hpp"

#include "ebb/units/ratio.hpp"

#include <algorithm>

namespace ebb::controller {

Power awake_watts(const power::PortSetup& setup) {
  return setup.port.value + setup.plugged.value + setup.up.value;
}

std::vector<Power> step_watts(const power::Box& box, const power::PortSetup& full,
                              std::span<const DataRate> ladder) {
  std::vector<Power> watts;
  for (const DataRate rate : ladder) {
    const Ratio share(rate.count(), ladder.back().count());
    const auto slower =
        std::find_if(box.setups.begin(), box.setups.end(), [&](const power::PortSetup& setup) {
          return setup.medium == full.medium &&
                 Ratio(setup.rate.count(), full.rate.count()) == share;
        });
    const bool known = rate != ladder.back() && slower != box.setups.end();
    watts.push_back(awake_watts(known ? *slower : full));
  }
  return watts;
}

}  // namespace ebb::controller
