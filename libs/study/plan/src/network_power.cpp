// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/network_power.hpp"

#include "ebb/plan/breakdown.hpp"
#include "ebb/power/model.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

namespace ebb::plan {
namespace {

using power::Box;
using power::Chip;
using power::Ladder;
using power::Library;

Result<Power> power_at(Ratio load, const PartsCount& count, Inputs inputs, const Library& library) {
  inputs.load = load;
  const auto parts = power_breakdown(count, inputs, library);
  if (!parts) return fail(parts.error());
  return parts->sum();
}

// What the links of a chip save in the slowest step of its ladder; nothing for other switches.
Result<Power> saved_by_ladder(const PartsCount& count, const Inputs& inputs,
                              const Library& library) {
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  const Chip* chip = std::get_if<Chip>(&(*part)->body);
  if (chip == nullptr || !chip->ladder) return Power{};
  const auto ladder = library.find_as<Ladder>(*chip->ladder);
  if (!ladder) return fail(ladder.error());
  const Power links = scale(chip->power.value, chip->link_share.value);
  const Ratio lit(count.lit_ports, chip->ports);
  return scale(links, lit) - scale(scale(links, power::slowest(**ladder)), lit);
}

}  // namespace

Result<SwitchOffer> switch_offer(const Inputs& inputs, const Library& library) {
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  if (const Chip* chip = std::get_if<Chip>(&(*part)->body)) {
    if (chip->port_rate < inputs.rate) {
      return fail(fmt::format("'{}' has ports of {}, slower than {}", (*part)->name,
                              to_text(chip->port_rate), to_text(inputs.rate)));
    }
    return SwitchOffer{chip->ports, true};
  }
  if (const Box* box = std::get_if<Box>(&(*part)->body)) return SwitchOffer{box->ports, false};
  return fail(fmt::format("'{}' is a {}, not a switch", (*part)->name, kind_of(**part)));
}

Result<Watts> network_power(const PartsCount& count, const Inputs& inputs, const Library& library) {
  const auto idle = power_at(Ratio(0, 1), count, inputs, library);
  if (!idle) return fail(idle.error());
  const auto saved = saved_by_ladder(count, inputs, library);
  if (!saved) return fail(saved.error());
  const Power at_load = *power_at(inputs.load, count, inputs, library);
  const Power peak = *power_at(Ratio(1, 1), count, inputs, library);
  return Watts{*idle, at_load, peak, *idle - *saved, scale(peak, inputs.load)};
}

}  // namespace ebb::plan
