// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/port_watts.hpp"

#include "ebb/units/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::power {

Power awake_watts(const PortSetup& setup) {
  return setup.port.value + setup.plugged.value + setup.up.value;
}

std::vector<Power> step_watts(const Box& box, const PortSetup& full,
                              std::span<const DataRate> rate_table) {
  std::vector<Power> watts;
  for (const DataRate rate : rate_table) {
    const Ratio share(rate.count(), rate_table.back().count());
    const auto slower =
        std::find_if(box.setups.begin(), box.setups.end(), [&](const PortSetup& setup) {
          return setup.medium == full.medium &&
                 Ratio(setup.rate.count(), full.rate.count()) == share;
        });
    const bool known = rate != rate_table.back() && slower != box.setups.end();
    watts.push_back(awake_watts(known ? *slower : full));
  }
  return watts;
}

Result<PortWatts> port_watts(const Library& library, const std::string& box,
                             const std::string& setup, bool modules_sleep) {
  const auto found = library.find_as<Box>(box);
  if (!found) return fail(found.error());
  const auto& setups = (*found)->setups;
  const auto full = std::find_if(setups.begin(), setups.end(), [&](const PortSetup& one) {
    return setup.empty() || one.name == setup;
  });
  if (full == setups.end()) return fail(fmt::format("'{}' has no setup '{}'", box, setup));
  return PortWatts{awake_watts(*full), modules_sleep ? Power{} : full->plugged.value,
                   [box = **found, full = *full](std::span<const DataRate> rate_table) {
                     return step_watts(box, full, rate_table);
                   }};
}

}  // namespace ebb::power
