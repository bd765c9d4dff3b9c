// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/network_power.hpp"

#include "ebb/power/model.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace ebb::plan {
namespace {

using power::Box;
using power::Chip;
using power::Ladder;
using power::Library;
using power::Module;
using power::PortSetup;

// The constant parts (modules, host interfaces) add the same to every state.
struct States {
  Power idle;
  Power at_load;
  Power peak;
  Power slowest;

  void add(Power constant) { add({constant, constant, constant, constant}); }
  void add(const States& other) {
    idle += other.idle;
    at_load += other.at_load;
    peak += other.peak;
    slowest += other.slowest;
  }
};

// The per-SerDes model: each chip keeps its core on; links draw by lit port, whatever the traffic.
Power chips_power(const Chip& chip, const PartsCount& count, Ratio relative) {
  const Power links = scale(scale(scale(chip.power.value, chip.link_share.value), relative),
                            Ratio(count.lit_ports, chip.ports));
  return core_power(chip) * count.chips + links;
}

Result<States> chip_states(const Chip& chip, const PartsCount& count, const Library& library) {
  const Power always_on = chips_power(chip, count, power::kFullPower);
  States states{always_on, always_on, always_on, always_on};
  if (chip.ladder) {
    const auto ladder = library.find_as<Ladder>(*chip.ladder);
    if (!ladder) return fail(ladder.error());
    states.slowest = chips_power(chip, count, power::slowest(**ladder));
  }
  return states;
}

// The setup of a medium that carries the rate with the least to spare.
const PortSetup* setup_for(const Box& box, std::string_view medium, DataRate rate) {
  const PortSetup* best = nullptr;
  for (const PortSetup& setup : box.setups) {
    if (setup.medium != medium || setup.rate < rate) continue;
    if (best == nullptr || setup.rate < best->rate) best = &setup;
  }
  return best;
}

Result<Power> ports_power(const Box& box, std::string_view medium, std::int64_t ports,
                          const Inputs& inputs, Ratio load) {
  if (ports == 0) return Power{};
  const PortSetup* setup = setup_for(box, medium, inputs.rate);
  if (setup == nullptr) {
    return fail(fmt::format("'{}' has no {} port setup for {}", inputs.parts.switch_part, medium,
                            to_text(inputs.rate)));
  }
  return power::port_power({.setup = setup, .load = load, .packet = inputs.packet}) * ports;
}

Result<Power> box_network_power(const Box& box, const PartsCount& count, const Inputs& inputs,
                                Ratio load) {
  const auto electrical = ports_power(box, "electrical", count.electrical_ports, inputs, load);
  const auto optical = ports_power(box, "optical", count.optical_ports, inputs, load);
  if (!electrical) return fail(electrical.error());
  if (!optical) return fail(optical.error());
  return box.base.value * count.boxes + *electrical + *optical;
}

Result<States> box_states(const Box& box, const PartsCount& count, const Inputs& inputs) {
  const auto idle = box_network_power(box, count, inputs, Ratio(0, 1));
  if (!idle) return fail(idle.error());
  const Power at_load = *box_network_power(box, count, inputs, inputs.load);
  const Power peak = *box_network_power(box, count, inputs, Ratio(1, 1));
  return States{*idle, at_load, peak, *idle};
}

// Both ends of `cables` cables with this module, at the slowest step that carries the rate.
Result<Power> modules_power(const std::optional<std::string>& name, std::int64_t cables,
                            const Inputs& inputs, const Library& library) {
  if (!name) return Power{};
  const auto module = library.find_as<Module>(*name);
  if (!module) return fail(module.error());
  const auto& steps = (*module)->steps;
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [&](const auto& s) { return s.rate >= inputs.rate; });
  if (step == steps.end()) {
    return fail(fmt::format("'{}' does not reach {}", *name, to_text(inputs.rate)));
  }
  return step->power.value * (2 * cables);
}

Result<Power> nics_power(const std::optional<std::string>& name, std::int64_t hosts,
                         const Library& library) {
  if (!name) return Power{};
  const auto nic = library.find_as<power::Nic>(*name);
  if (!nic) return fail(nic.error());
  return (*nic)->power.value * hosts;
}

Result<States> switch_states(const PartsCount& count, const Inputs& inputs,
                             const Library& library) {
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  if (const Chip* chip = std::get_if<Chip>(&(*part)->body))
    return chip_states(*chip, count, library);
  return box_states(std::get<Box>((*part)->body), count, inputs);
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
  auto states = switch_states(count, inputs, library);
  if (!states) return fail(states.error());
  for (const auto& constant :
       {modules_power(inputs.parts.electrical, count.electrical_links, inputs, library),
        modules_power(inputs.parts.optical, count.optical_links, inputs, library),
        nics_power(inputs.parts.nic, count.hosts, library)}) {
    if (!constant) return fail(constant.error());
    states->add(*constant);
  }
  return Watts{states->idle, states->at_load, states->peak, states->slowest,
               scale(states->peak, inputs.load)};
}

}  // namespace ebb::plan
