// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/port_watts.hpp"

#include "ebb/units/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ebb::power {
namespace {

constexpr std::array kAccuracies = {Accuracy::unknown, Accuracy::modelled, Accuracy::static_data,
                                    Accuracy::measured};

}  // namespace

std::string_view to_text(Accuracy accuracy) {
  switch (accuracy) {
    case Accuracy::unknown:
      break;
    case Accuracy::modelled:
      return "modelled";
    case Accuracy::static_data:
      return "static";
    case Accuracy::measured:
      return "measured";
  }
  return "unknown";
}

std::optional<Accuracy> accuracy_named(std::string_view text) {
  const auto* const found = std::find_if(kAccuracies.begin(), kAccuracies.end(),
                                         [&](Accuracy one) { return to_text(one) == text; });
  return found == kAccuracies.end() ? std::nullopt : std::optional(*found);
}

Accuracy accuracy_of(const Library& library, const Box& box, const PortSetup& full) {
  const auto is_stated = [&](const Sourced<Power>& number) {
    const Evidence evidence = library.source(number.source).evidence;
    return evidence == Evidence::datasheet || evidence == Evidence::published;
  };
  const bool all_stated =
      std::all_of(box.setups.begin(), box.setups.end(), [&](const PortSetup& setup) {
        return setup.medium != full.medium || setup.rate > full.rate ||
               (is_stated(setup.port) && is_stated(setup.plugged) && is_stated(setup.up));
      });
  return all_stated ? Accuracy::static_data : Accuracy::modelled;
}

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
                   },
                   accuracy_of(library, **found, *full)};
}

}  // namespace ebb::power
