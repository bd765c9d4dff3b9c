// SPDX-License-Identifier: Apache-2.0
#include "ebb/breakeven/switch_power.hpp"

#include "ebb/power/model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ebb::breakeven {
namespace {

using power::Box;
using power::Chip;
using power::PortSetup;

constexpr Ratio kFullLoad(1, 1);

Power link_power(const PortSetup& setup) {
  return setup.port.value + setup.plugged.value + setup.up.value;
}

int ports_with(const Box& box, const PortSetup& setup) { return setup.ports.value_or(box.ports); }

SwitchPower box_split(const Box& box, const PortSetup& setup, Ratio load) {
  const int ports = ports_with(box, setup);
  const std::array uses = {power::PortUse{.setup = &setup, .count = ports, .load = load}};
  SwitchPower split{.chassis = box.base.value, .links = link_power(setup) * ports};
  split.traffic = power::box_power(box, uses) - split.chassis - split.links;
  return split;
}

const power::RateTable* rate_table_of(const Chip& chip, const power::Library& library) {
  if (!chip.rate_table) return nullptr;
  const auto rate_table = library.find_as<power::RateTable>(*chip.rate_table);
  return rate_table ? *rate_table : nullptr;
}

Power scaled(Power power, double share) {
  return microwatts(std::llround(static_cast<double>(power.count()) * share));
}

Power saved(const HostChannels& channels, Power links, const ChangeTimes& times, Ratio low_power) {
  const RuleResult result = result_of(channels, Rule::timeout, times);
  return scaled(links, saving(result.low_power_share, low_power));
}

// The best of the low-power states that the rate table has with their times.
std::optional<Power> saved_by(const power::RateTable& rate_table, const HostChannels& channels,
                              Power links) {
  std::optional<Power> best;
  for (const LowPowerState& state : low_power_states(rate_table)) {
    if (!state.own) continue;
    const Power power = saved(channels, links, *state.own, state.power);
    if (!best || *best < power) best = power;
  }
  return best;
}

}  // namespace

double share_of(Power part, Power whole) {
  return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

int SwitchSetup::ports() const {
  if (setup == nullptr) return std::get<Chip>(part->body).ports;
  return ports_with(std::get<Box>(part->body), *setup);
}

DataRate SwitchSetup::rate() const {
  return setup != nullptr ? setup->rate : std::get<Chip>(part->body).port_rate;
}

bool SwitchSetup::links_known() const { return power_at({}).links.count() != 0; }

std::optional<Power> SwitchSetup::saved_by_shutdown_of_a_port() const {
  if (setup == nullptr || !links_known()) return std::nullopt;
  return setup->port.value + setup->up.value;
}

SwitchPower SwitchSetup::power_at(Ratio load) const {
  if (setup != nullptr) return box_split(std::get<Box>(part->body), *setup, load);
  const Chip& chip = std::get<Chip>(part->body);
  const Power core = power::core_power(chip);
  return {.chassis = core, .links = power::chip_power(chip) - core, .traffic = {}};
}

Power SwitchSetup::full_load() const { return power_at(kFullLoad).total(); }

std::vector<SwitchSetup> setups_of(const power::Part& part, const power::Library& library) {
  std::vector<SwitchSetup> setups;
  if (const Box* box = std::get_if<Box>(&part.body)) {
    for (const PortSetup& setup : box->setups) setups.push_back({&part, &setup, nullptr});
  }
  if (const Chip* chip = std::get_if<Chip>(&part.body)) {
    setups.push_back({&part, nullptr, rate_table_of(*chip, library)});
  }
  return setups;
}

double SwitchSavings::share(Power saved) const { return share_of(saved, drawn.total()); }

SwitchSavings savings(const SwitchSetup& setup, const HostChannels& channels, Ratio load) {
  SwitchSavings result{.load = load, .drawn = setup.power_at(load)};
  if (setup.rate_table != nullptr)
    result.own = saved_by(*setup.rate_table, channels, result.drawn.links);
  if (setup.links_known()) {
    result.quick_sleep =
        saved(channels, result.drawn.links, change_times(LowPower::asleep, kQuickWake), Ratio());
  }
  result.ideal = result.drawn.total() - scale(setup.full_load(), load);
  return result;
}

}  // namespace ebb::breakeven
