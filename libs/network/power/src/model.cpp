// SPDX-License-Identifier: Apache-2.0
#include "ebb/power/model.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace ebb::power {
namespace {

constexpr std::chrono::seconds kSecond(1);

// The share of a chip's power that sits in its links. Taken from the whole by subtraction in
// core_power, so that the two always add up.
Power links_power(const Chip& chip) { return scale(chip.power.value, chip.link_share.value); }

// Rounded up: a supply has to be there before the rate is.
std::optional<Duration> supply_time(const RateTable& rate_table, const RateTableEntry& from,
                                    const RateTableEntry& to) {
  if (!rate_table.supply_per_us || !from.supply || !to.supply) return std::nullopt;
  constexpr std::int64_t kPicosecondsPerUs = 1'000'000;
  const std::int64_t swing = std::abs(to.supply->value.count() - from.supply->value.count());
  const std::int64_t speed = rate_table.supply_per_us->value.count();
  return Duration((swing * kPicosecondsPerUs + speed - 1) / speed);
}

Power static_power(const PortUse& use) {
  const PortSetup& setup = *use.setup;
  switch (use.state) {
    case PortState::unused:
      return {};
    case PortState::plugged:
      return setup.plugged.value;
    case PortState::up:
      return setup.port.value + setup.plugged.value + setup.up.value;
  }
  return {};
}

// Energy that the traffic of one direction of one port takes in a second.
Energy traffic_energy(const PortUse& use) {
  if (use.state != PortState::up) return {};
  const Int128 bits_sent = scale(use.setup->rate, use.load).count();
  Energy energy;
  if (const auto& per_bit = use.setup->energy_per_bit) {
    energy += attojoules(per_bit->value.count() * bits_sent);
  }
  if (const auto& per_packet = use.setup->energy_per_packet) {
    EBB_CHECK(use.packet.count() > 0, "a packet has a size");
    energy += attojoules(per_packet->value.count() * bits_sent / use.packet.count());
  }
  return energy;
}

Energy port_energy(const PortUse& use, Counting counting) {
  EBB_CHECK(use.setup != nullptr, "a port in use has a setup");
  return static_power(use) * kSecond + traffic_energy(use) * (counting == Counting::twice ? 2 : 1);
}

// Energy of a second as power, to the nearest microwatt: the attojoules that were rounded away
// below do not show.
Power power_of_second(Energy energy) {
  constexpr Energy kHalf = microwatts(1) * std::chrono::milliseconds(500);
  return mean_power(energy + kHalf, kSecond);
}

}  // namespace

const RateTableEntry* step_at(const RateTable& rate_table, DataRate rate) {
  const auto found = std::find_if(rate_table.steps.begin(), rate_table.steps.end(),
                                  [&](const RateTableEntry& step) { return step.rate == rate; });
  return found == rate_table.steps.end() ? nullptr : &*found;
}

Ratio slowest(const RateTable& rate_table) {
  EBB_CHECK(!rate_table.steps.empty(), "a rate table has steps");
  return rate_table.steps.front().relative_power.value;
}

const Breakout* breakout_for(std::span<const Breakout> breakout, DataRate rate) {
  const Breakout* best = nullptr;
  for (const Breakout& one : breakout) {
    if (one.rate >= rate && (best == nullptr || one.rate < best->rate)) best = &one;
  }
  return best;
}

Chip at_rate(const Chip& chip, DataRate rate) {
  const Breakout* split = breakout_for(chip.breakout, rate);
  if (split == nullptr) return chip;
  Chip broken_out = chip;
  broken_out.ports = chip.ports * split->ports;
  broken_out.port_rate = split->rate;
  broken_out.lanes = chip.lanes / split->ports;
  broken_out.rate_table.reset();
  broken_out.breakout.clear();
  for (PowerGroup& group : broken_out.groups) {
    if (group.ports) *group.ports *= split->ports;
  }
  return broken_out;
}

int ports_at(const Box& box, DataRate rate) {
  const Breakout* split = breakout_for(box.breakout, rate);
  return split == nullptr ? box.ports : box.ports * split->ports;
}

std::optional<PortSetup> setup_at(const Box& box, std::string_view medium, DataRate rate) {
  const PortSetup* best = nullptr;
  for (const PortSetup& setup : box.setups) {
    if (setup.medium != medium || setup.rate < rate) continue;
    if (best == nullptr || setup.rate < best->rate) best = &setup;
  }
  if (best == nullptr) return std::nullopt;
  const Breakout* split = breakout_for(box.breakout, rate);
  if (split == nullptr || best->rate <= split->rate) return *best;
  PortSetup share = *best;
  share.rate = split->rate;
  for (Sourced<Power>* power : {&share.port, &share.plugged, &share.up}) {
    power->value = scale(power->value, Ratio(1, split->ports));
  }
  return share;
}

std::optional<Chip> as_chip(const Part& part, const Library& library) {
  if (const Chip* chip = std::get_if<Chip>(&part.body)) return *chip;
  const Box* box = std::get_if<Box>(&part.body);
  if (box == nullptr || !box->chip) return std::nullopt;
  const auto inside = library.find_as<Chip>(*box->chip);
  if (!inside) return std::nullopt;
  Chip chip = **inside;
  chip.ports = box->ports;
  chip.power = box->base;
  chip.link_share.value = Ratio(links_power(**inside).count(), box->base.value.count());
  chip.lanes = box->lanes;
  chip.breakout = box->breakout;
  chip.groups = box->groups;
  chip.supply.reset();  // the box is measured at the wall, with the losses of its supplies
  return chip;
}

std::optional<Duration> change_time(const RateTable& rate_table, const RateTableEntry& from,
                                    const RateTableEntry& to) {
  const bool by_rate = from.lanes == to.lanes || !rate_table.lane_change;
  const auto& known = by_rate ? rate_table.rate_change : rate_table.lane_change;
  const std::optional<Duration> circuit = known ? std::optional(known->value) : std::nullopt;
  return std::max(circuit, supply_time(rate_table, from, to));  // none is less than any time
}

Power core_power(const Chip& chip) { return chip.power.value - links_power(chip); }

Power chip_power(const Chip& chip, Ratio relative) {
  return core_power(chip) + scale(links_power(chip), relative);
}

Power link_power(const Chip& chip, Ratio relative) {
  return scale(scale(links_power(chip), relative), Ratio(1, chip.ports));
}

Power port_power(const PortUse& use, Counting counting) {
  return power_of_second(port_energy(use, counting));
}

Power box_power(const Box& box, std::span<const PortUse> uses, Counting counting) {
  Energy energy = box.base.value * kSecond;
  for (const PortUse& use : uses) energy += port_energy(use, counting) * use.count;
  return power_of_second(energy);
}

Energy search_energy(const ForwardingTable& table, std::int64_t entries) {
  const Energy lines = attojoules(table.search_per_bit.value.count() * table.width.value.count());
  return attojoules((lines + table.encode_per_entry.value).count() * entries);
}

Power table_leakage(const ForwardingTable& table, std::int64_t entries) {
  constexpr Int128 kMegabit = 1'000'000;
  const Int128 stored = static_cast<Int128>(table.width.value.count()) * entries;
  return microwatts(
      static_cast<std::int64_t>(table.leakage_per_megabit.value.count() * stored / kMegabit));
}

Power search_power(const ForwardingTable& table, std::int64_t entries, const Searches& searches) {
  const Int128 each_second =
      search_energy(table, entries).count() * searches.arriving.count() / searches.packet.count();
  return power_of_second(attojoules(each_second));
}

Power table_power(const ForwardingTable& table, std::int64_t entries, const Searches& searches) {
  return search_power(table, entries, searches) + table_leakage(table, entries);
}

}  // namespace ebb::power
