// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/design.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::plan {
namespace {

bool meets(const topology::Figures& figures, const topology::Demand& demand) {
  return figures.hosts >= demand.hosts && figures.switch_ports <= demand.ports &&
         figures.oversubscription <= demand.oversubscription.to_double();
}

// "fbfly 15x15x15x6 hosts=15 parallel=1x1x1x3": the parameters that tell designs apart.
std::string name_of(const topology::Family& family, const ParameterTexts& parameters) {
  std::string name = family.name;
  for (const auto& [key, value] : parameters) name += fmt::format(" {}={}", key, value);
  return name;
}

// Chips that live in a chassis only exist as chips.
bool usable(const topology::Family& family, const SwitchOffer& offer) {
  return family.designs != nullptr && (offer.is_chip || family.name != "clos_chassis");
}

}  // namespace

Result<std::vector<Design>> propose(const Inputs& inputs, const power::Library& library) {
  const auto offer = switch_offer(inputs, library);
  if (!offer) return fail(offer.error());
  const topology::Demand demand{inputs.hosts, offer->ports, inputs.oversubscription};
  std::vector<Design> designs;
  for (const topology::Family& family : topology::families()) {
    if (!usable(family, *offer)) continue;
    for (const auto& parameters : family.designs(demand)) {
      const auto known = topology::figures(family.name, parameters);
      if (!known || !meets(*known, demand)) continue;
      auto design =
          evaluate({name_of(family, parameters), family.name, parameters}, inputs, library);
      if (!design) return fail(design.error());
      designs.push_back(std::move(*design));
    }
  }
  return designs;
}

}  // namespace ebb::plan
