// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/wall.hpp"

#include "ebb/power/model.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::plan {
namespace {

using power::Chip;
using power::Library;
using power::SwitchSupply;

// Of the module of that name, at the slowest step that carries the rate.
Result<Power> end_power(const std::optional<std::string>& name, const Inputs& inputs,
                        const Library& library) {
  if (!name) return Power{};
  const auto module = library.find_as<power::Module>(*name);
  if (!module) return fail(module.error());
  const auto& steps = (*module)->steps;
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [&](const auto& one) { return one.rate >= inputs.rate; });
  return step == steps.end() ? Power{} : step->power.value;
}

// So many switches that draw as much.
struct Drawing {
  std::int64_t switches = 0;
  Power power;
};

// The switches of a network with their links at that relative power. Those of a chassis share its
// lit ports and modules evenly: which chip has them is not looked at.
std::vector<Drawing> drawing(const PartsCount& count, const Chip& chip,
                             const std::array<Power, 3>& modules, Ratio relative) {
  const auto links = [&](std::int64_t lit) {
    return scale(scale(scale(chip.power.value, chip.link_share.value), relative),
                 Ratio(lit, chip.ports));
  };
  const Power core = power::core_power(chip);
  const auto plugged = [&](std::int64_t electrical, std::int64_t optical) {
    return modules[0] * electrical + modules[1] * optical;
  };
  if (count.backplane_links > 0) {
    const Power all = core * count.chips + links(count.lit_ports) +
                      plugged(count.electrical_ports, count.optical_ports);
    return {{count.chips, scale(all, Ratio(1, count.chips))}};
  }
  std::vector<Drawing> all;
  all.reserve(count.switch_kinds.size());
  for (const SwitchKind& kind : count.switch_kinds) {
    all.push_back({kind.switches, core + links(kind.electrical_ports + kind.optical_ports) +
                                      plugged(kind.electrical_ports, kind.optical_ports)});
  }
  return all;
}

// What all of them take from the wall.
Power at_wall(const SwitchSupply& supply, const std::vector<Drawing>& all) {
  Power sum;
  for (const Drawing& one : all) sum += supply.at_wall(one.power) * one.switches;
  return sum;
}

// What the supplies of all of them lose.
Power lost(const SwitchSupply& supply, const std::vector<Drawing>& all) {
  Power drawn;
  for (const Drawing& one : all) drawn += one.power * one.switches;
  return at_wall(supply, all) - drawn;
}

struct Fed {
  Chip chip;  // with its ports at the rate of the plan
  SwitchSupply supply;
  std::array<Power, 3> modules;
};

Result<std::optional<Fed>> fed_switch(const Inputs& inputs, const Library& library) {
  const auto supply = supply_of(inputs, library);
  if (!supply) return fail(supply.error());
  if (!*supply) return std::optional<Fed>{};
  const auto modules = module_ends(inputs, library);
  if (!modules) return fail(modules.error());
  const auto chip = library.find_as<Chip>(inputs.parts.switch_part);
  if (!chip) return fail(chip.error());
  return std::optional(Fed{power::at_rate(**chip, inputs.rate), **supply, *modules});
}

}  // namespace

Result<std::optional<SwitchSupply>> supply_of(const Inputs& inputs, const Library& library) {
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  const auto* chip = std::get_if<Chip>(&(*part)->body);
  if (chip == nullptr) return std::optional<SwitchSupply>{};
  return power::supply_of(*chip, library);
}

Result<std::array<Power, 3>> module_ends(const Inputs& inputs, const Library& library) {
  const auto electrical = end_power(inputs.parts.electrical, inputs, library);
  const auto optical = end_power(inputs.parts.optical, inputs, library);
  if (!electrical) return fail(electrical.error());
  if (!optical) return fail(optical.error());
  return std::array{*electrical, *optical, Power{}};
}

Result<std::optional<WallWatts>> wall_power(const PartsCount& count, const Inputs& inputs,
                                            const Watts& watts, const Library& library) {
  const auto fed = fed_switch(inputs, library);
  if (!fed) return fail(fed.error());
  if (!*fed) return std::optional<WallWatts>{};
  const auto model = link_model(inputs, library);
  if (!model) return fail(model.error());
  const Ratio slowest = *model ? power::slowest(*(*model)->rate_table) : power::kFullPower;
  const auto lost_at = [&](Ratio relative) {
    return lost((*fed)->supply, drawing(count, (*fed)->chip, (*fed)->modules, relative));
  };
  const Power at_full = lost_at(power::kFullPower);
  return std::optional(
      WallWatts{watts.at_load + at_full, watts.slowest + lost_at(slowest), at_full});
}

Result<std::optional<Power>> links_save_at_wall(const PartsCount& count, const Inputs& inputs,
                                                Ratio relative, const Library& library) {
  const auto fed = fed_switch(inputs, library);
  if (!fed) return fail(fed.error());
  if (!*fed) return std::optional<Power>{};
  const auto at = [&](Ratio links) {
    return at_wall((*fed)->supply, drawing(count, (*fed)->chip, (*fed)->modules, links));
  };
  return std::optional(at(power::kFullPower) - at(relative));
}

Result<void> check_supply(const PartsCount& count, const Inputs& inputs, const Library& library) {
  const auto fed = fed_switch(inputs, library);
  if (!fed) return fail(fed.error());
  if (!*fed) return {};
  Power most;
  for (const Drawing& one : drawing(count, (*fed)->chip, (*fed)->modules, power::kFullPower))
    most = std::max(most, one.power);
  const Power capacity = (*fed)->supply.capacity();
  if (most <= capacity) return {};
  return fail(
      fmt::format("'{}' draws {} with the modules in its ports, more than the {} that its "
                  "supplies are rated for",
                  inputs.parts.switch_part, to_text(most), to_text(capacity)));
}

}  // namespace ebb::plan
