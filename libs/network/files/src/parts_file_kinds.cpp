// SPDX-License-Identifier: Apache-2.0
#include "parts_file_kinds.hpp"

#include "parts_file_groups.hpp"
#include "parts_file_supply.hpp"

#include "ebb/power/model.hpp"

#include <algorithm>
#include <array>

namespace ebb::files::parts {
namespace {

using power::Box;
using power::Breakout;
using power::BufferCells;
using power::Chip;
using power::Components;
using power::ForwardingTable;
using power::Module;
using power::ModuleStep;
using power::Nic;
using power::PortSetup;
using power::RateTable;
using power::RateTableEntry;
using power::Sourced;

bool has_supply(const RateTableEntry& step) { return step.supply.has_value(); }

// A supply that could not be read was reported then.
bool supply_written(const Value& entry, Diagnostics& errors) {
  return entry.is_map() && Section(entry, errors).find("supply");
}

void check_supply_is_there(const Value& entry, Diagnostics& errors) {
  if (supply_written(entry, errors)) return;
  entry.report(errors, "other steps have a 'supply': give one to every step, or to none");
}

void check_supply_ascends(const Value& entry, const RateTableEntry& before,
                          const RateTableEntry& now, Diagnostics& errors) {
  if (!before.supply || !now.supply || before.supply->value <= now.supply->value) return;
  entry.report(errors, fmt::format("the supply must not fall with the rate, but {} follows {}",
                                   to_text(now.supply->value), to_text(before.supply->value)));
}

void check_wake_rate(const Value& value, DataRate rate, const RateTable& rate_table,
                     Diagnostics& errors) {
  if (!rate_table.sleep) value.report(errors, "a rate table without 'sleep' is never woken");
  const bool known = std::any_of(rate_table.steps.begin(), rate_table.steps.end(),
                                 [&](const RateTableEntry& step) { return step.rate == rate; });
  if (!known) value.report(errors, fmt::format("{} is not the rate of a step", to_text(rate)));
}

// Supplies of all steps or of none, none below that of a slower step.
void check_step_supplies(const std::vector<Value>& entries,
                         const std::vector<RateTableEntry>& steps, Diagnostics& errors) {
  if (std::none_of(steps.begin(), steps.end(), has_supply)) return;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    check_supply_is_there(entries[i], errors);
    if (i > 0) check_supply_ascends(entries[i], steps[i - 1], steps[i], errors);
  }
}

// `supply_per_us` and `wake_rate`, once steps and sleep are read.
void read_supply_changes(Section& part, const Numbers& numbers, RateTable& rate_table) {
  rate_table.supply_per_us = numbers.find(part, "supply_per_us", kSupplies);
  const bool supplies = std::any_of(rate_table.steps.begin(), rate_table.steps.end(), has_supply);
  if (rate_table.supply_per_us && !supplies) {
    part.find("supply_per_us")->report(part.errors(), "needs a 'supply' of every step");
  }
  rate_table.wake_rate = numbers.find(part, "wake_rate", kRates);
  if (rate_table.wake_rate) {
    check_wake_rate(*part.find("wake_rate"), rate_table.wake_rate->value, rate_table,
                    part.errors());
  }
}

// Reads the numbers of one component; one that is missing is reported and stays zero.
class Component {
 public:
  Component(Section& part, const Numbers& numbers, std::string_view key) : numbers_(&numbers) {
    if (const auto value = part.require(key)) section_.emplace(*value, part.errors());
  }

  template <class T>
  void require(std::string_view key, Range<T> range, Sourced<T>& number) {
    if (!section_) return;
    number = numbers_->require(*section_, key, range).value_or(Sourced<T>{});
  }
  [[nodiscard]] Section* section() { return section_ ? &*section_ : nullptr; }
  void finish() {
    if (section_) section_->finish();
  }

 private:
  const Numbers* numbers_;
  std::optional<Section> section_;
};

BufferCells read_buffers(Section& part, const Numbers& numbers) {
  BufferCells cells;
  Component buffers(part, numbers, "buffers");
  buffers.require("write", kEnergiesPerBit, cells.write);
  buffers.require("read", kEnergiesPerBit, cells.read);
  buffers.require("leakage", kPowers, cells.leakage);
  if (Section* section = buffers.section()) {
    cells.cell = require_in_range(*section, "cell", kCells).value_or(bits(1));
    cells.gated = numbers.find(*section, "gated", kShares);
  }
  buffers.finish();
  return cells;
}

void read_switch(Section& part, const Numbers& numbers, Components& components) {
  Component crossbar(part, numbers, "crossbar");
  crossbar.require("per_bit", kEnergiesPerBit, components.crossbar_bit);
  crossbar.require("per_packet", kEnergiesPerPacket, components.crossbar_setup);
  crossbar.finish();
  Component arbiter(part, numbers, "arbiter");
  arbiter.require("per_packet", kEnergiesPerPacket, components.arbitration);
  arbiter.finish();
  Component tables(part, numbers, "tables");
  tables.require("per_packet", kEnergiesPerPacket, components.lookup);
  tables.finish();
  components.logic = numbers.require(part, "logic", kPowers).value_or(Sourced<Power>{});
}

void read_nic(Section& part, const Numbers& numbers, Components& components) {
  Component nic(part, numbers, "nic");
  nic.require("per_bit", kEnergiesPerBit, components.nic_bit);
  nic.require("per_packet", kEnergiesPerPacket, components.nic_packet);
  nic.require("idle", kPowers, components.nic_idle);
  nic.finish();
}

// The kind `components`: what parts of a switch and of a network card take by what they do.
Body read_components(Section& part, const Numbers& numbers) {
  Components components;
  components.buffers = read_buffers(part, numbers);
  read_switch(part, numbers, components);
  read_nic(part, numbers, components);
  return components;
}

constexpr std::int64_t kMostPorts = 4096;
constexpr std::int64_t kMostLanes = 64;

int read_ports(Section& part) {
  return static_cast<int>(part.require_integer("ports", 1, kMostPorts).value_or(1));
}

DataRate read_rate(Section& section, std::string_view key) {
  return require_in_range(section, key, kRates).value_or(DataRate{});
}

std::string read_medium(Section& section) {
  return section.require_one_of("medium", {"electrical", "optical"}).value_or("");
}

// A list that must not be empty.
std::vector<Value> read_list(Section& section, std::string_view key) {
  const auto value = section.require(key);
  const auto list = value ? value->list(section.errors()) : std::nullopt;
  if (!list) return {};
  if (list->empty()) value->report(section.errors(), "the list is empty");
  return *list;
}

// A rate of zero was reported when it was read.
void check_rate_ascends(const Value& step, DataRate before, DataRate rate, Diagnostics& errors) {
  if (before.count() == 0 || rate.count() == 0 || before < rate) return;
  step.report(errors,
              fmt::format("rates must ascend, but {} follows {}", to_text(rate), to_text(before)));
}

void check_power_ascends(const Value& step, const std::optional<Sourced<Ratio>>& before,
                         const std::optional<Sourced<Ratio>>& now, Diagnostics& errors) {
  if (!before || !now || before->value <= now->value) return;
  step.report(errors, fmt::format("relative power must not fall with the rate, but {} follows {}",
                                  to_text(now->value), to_text(before->value)));
}

void check_full_power(const Value& step, const std::optional<Sourced<Ratio>>& last,
                      Diagnostics& errors) {
  if (!last || last->value == Ratio(1, 1)) return;
  step.report(errors,
              fmt::format("the last step is full rate: its relative power must be 1, not {}",
                          to_text(last->value)));
}

std::vector<RateTableEntry> read_rate_table_steps(Section& part, const Numbers& numbers) {
  std::vector<RateTableEntry> steps;
  std::optional<Sourced<Ratio>> last;
  const auto entries = read_list(part, "steps");
  for (const Value& entry : entries) {
    Section section(entry, part.errors());
    const DataRate before = steps.empty() ? DataRate{} : steps.back().rate;
    RateTableEntry& step = steps.emplace_back();
    step.rate = read_rate(section, "rate");
    step.lanes = static_cast<int>(section.find_integer("lanes", 1, kMostLanes).value_or(1));
    const auto relative = numbers.require(section, "relative_power", kShares);
    step.relative_power = relative.value_or(Sourced<Ratio>{});
    step.supply = numbers.find(section, "supply", kSupplies);
    section.finish();
    check_rate_ascends(entry, before, step.rate, part.errors());
    check_power_ascends(entry, last, relative, part.errors());
    last = relative;
  }
  if (!entries.empty()) check_full_power(entries.back(), last, part.errors());
  check_step_supplies(entries, steps, part.errors());
  return steps;
}

Body read_rate_table(Section& part, const Numbers& numbers) {
  RateTable rate_table;
  rate_table.steps = read_rate_table_steps(part, numbers);
  rate_table.sleep = numbers.find(part, "sleep", kShares);
  rate_table.rate_change = numbers.find(part, "rate_change", kDelays);
  rate_table.lane_change = numbers.find(part, "lane_change", kDelays);
  rate_table.wake = numbers.find(part, "wake", kDelays);
  if (rate_table.sleep && !part.find("wake")) {
    part.value().report(part.errors(), "a rate table that sleeps needs a 'wake' time");
  }
  read_supply_changes(part, numbers, rate_table);
  return rate_table;
}

// A port of `whole` on `lanes` lanes, split into ports that share its lanes evenly.
void check_breakout(const Value& entry, const Breakout& split, int lanes, DataRate whole,
                    Diagnostics& errors) {
  if (lanes % split.ports != 0) {
    entry.report(errors, fmt::format("{} lanes cannot be shared by {} ports", lanes, split.ports));
  }
  if (whole.count() != 0 && whole < split.rate * split.ports) {
    entry.report(errors, fmt::format("{} ports of {} are more than the port's {}", split.ports,
                                     to_text(split.rate), to_text(whole)));
  }
}

void check_breakouts_descend(const Value& entry, const Breakout& before, const Breakout& now,
                             Diagnostics& errors) {
  if (before.rate.count() == 0 || now.rate.count() == 0 || now.rate < before.rate) return;
  entry.report(errors, fmt::format("rates of 'breakout' must descend, but {} follows {}",
                                   to_text(now.rate), to_text(before.rate)));
}

std::vector<Breakout> read_breakouts(Section& part, int lanes, DataRate whole) {
  std::vector<Breakout> splits;
  for (const Value& entry : read_list(part, "breakout")) {
    Section section(entry, part.errors());
    Breakout split;
    split.ports = static_cast<int>(section.require_integer("ports", 2, kMostLanes).value_or(2));
    split.rate = read_rate(section, "rate");
    section.finish();
    check_breakout(entry, split, lanes, whole, part.errors());
    if (!splits.empty()) check_breakouts_descend(entry, splits.back(), split, part.errors());
    splits.push_back(split);
  }
  return splits;
}

// `lanes` and `breakout` of a switch whose ports run at `whole`; they come together or not at all.
template <class Switch>
void read_lanes(Section& part, DataRate whole, Switch& into) {
  const auto lanes = part.find("lanes");
  const auto breakout = part.find("breakout");
  if (!lanes && !breakout) return;
  if (!breakout) lanes->report(part.errors(), "'lanes' needs 'breakout', which is what they allow");
  into.lanes = static_cast<int>(part.require_integer("lanes", 1, kMostLanes).value_or(1));
  if (lanes && breakout) into.breakout = read_breakouts(part, into.lanes, whole);
}

Body read_chip(Section& part, const Numbers& numbers) {
  Chip chip;
  chip.ports = read_ports(part);
  chip.port_rate = read_rate(part, "port_rate");
  chip.power = numbers.require(part, "power", kPowers).value_or(Sourced<Power>{});
  chip.link_share = numbers.require(part, "link_share", kShares).value_or(Sourced<Ratio>{});
  chip.rate_table = part.find_text("rate_table");
  read_lanes(part, chip.port_rate, chip);
  chip.groups = read_groups(part, numbers, chip.ports,
                            {power::core_power(chip), "of the chip beside its links"});
  chip.supply = read_supply(part, numbers);
  return chip;
}

PortSetup read_setup(const Value& value, const Numbers& numbers, int most_ports,
                     Diagnostics& errors) {
  Section section(value, errors);
  PortSetup setup;
  if (const auto ports = section.find_integer("ports", 1, most_ports))
    setup.ports = static_cast<int>(*ports);
  setup.name = section.require_text("name").value_or("");
  setup.medium = read_medium(section);
  setup.rate = read_rate(section, "rate");
  setup.port = numbers.require(section, "port", kPortPowers).value_or(Sourced<Power>{});
  setup.plugged = numbers.require(section, "plugged", kPortPowers).value_or(Sourced<Power>{});
  setup.up = numbers.require(section, "up", kPortPowers).value_or(Sourced<Power>{});
  setup.energy_per_bit = numbers.find(section, "energy_per_bit", kEnergiesPerBit);
  setup.energy_per_packet = numbers.find(section, "energy_per_packet", kEnergiesPerPacket);
  section.finish();
  return setup;
}

ForwardingTable read_table(const Value& value, const Numbers& numbers, Diagnostics& errors) {
  Section section(value, errors);
  ForwardingTable table;
  table.kind = section.require_one_of("kind", {"CAM", "TCAM"}).value_or("");
  table.width = numbers.require(section, "width", kWidths).value_or(Sourced<DataSize>{});
  table.search_per_bit =
      numbers.require(section, "search_per_bit", kEnergiesPerBit).value_or(Sourced<Energy>{});
  table.encode_per_entry =
      numbers.require(section, "encode_per_entry", kEnergiesPerPacket).value_or(Sourced<Energy>{});
  table.leakage_per_megabit =
      numbers.require(section, "leakage_per_megabit", kPowers).value_or(Sourced<Power>{});
  section.finish();
  return table;
}

// Setups and tables are asked for by name, so a name stands once.
template <class Entry>
void check_unlike(const Value& value, const std::vector<Entry>& earlier, const Entry& entry,
                  std::string Entry::*name, Diagnostics& errors) {
  const bool repeated = std::any_of(earlier.begin(), earlier.end(),
                                    [&](const Entry& other) { return other.*name == entry.*name; });
  if (repeated && !(entry.*name).empty()) {
    value.report(errors, fmt::format("'{}' is given twice", (entry.*name).substr(0, 40)));
  }
}

Body read_box(Section& part, const Numbers& numbers) {
  Box box;
  box.ports = read_ports(part);
  box.base = numbers.require(part, "base", kPowers).value_or(Sourced<Power>{});
  for (const Value& value : read_list(part, "setups")) {
    PortSetup setup = read_setup(value, numbers, box.ports, part.errors());
    check_unlike(value, box.setups, setup, &PortSetup::name, part.errors());
    box.setups.push_back(std::move(setup));
  }
  DataRate fastest;
  for (const PortSetup& setup : box.setups) fastest = std::max(fastest, setup.rate);
  read_lanes(part, fastest, box);
  box.chip = part.find_text("chip");
  box.groups = read_groups(part, numbers, box.ports, {box.base.value, "of the base"});
  refuse_supply(part);
  const auto tables = part.find("tables");
  for (const Value& value : tables ? read_list(part, "tables") : std::vector<Value>{}) {
    ForwardingTable table = read_table(value, numbers, part.errors());
    check_unlike(value, box.tables, table, &ForwardingTable::kind, part.errors());
    box.tables.push_back(std::move(table));
  }
  return box;
}

Body read_module(Section& part, const Numbers& numbers) {
  Module module;
  module.medium = read_medium(part);
  if (const auto reach = part.find("reach")) {
    module.reach = read_in_range(*reach, kReaches, part.errors());
  }
  for (const Value& entry : read_list(part, "steps")) {
    Section section(entry, part.errors());
    const DataRate before = module.steps.empty() ? DataRate{} : module.steps.back().rate;
    ModuleStep& step = module.steps.emplace_back();
    step.rate = read_rate(section, "rate");
    step.power = numbers.require(section, "power", kPowers).value_or(Sourced<Power>{});
    section.finish();
    check_rate_ascends(entry, before, step.rate, part.errors());
  }
  module.wake = numbers.find(part, "wake", kDelays);
  return module;
}

Body read_nic(Section& part, const Numbers& numbers) {
  Nic nic;
  nic.rate = read_rate(part, "rate");
  nic.power = numbers.require(part, "power", kPowers).value_or(Sourced<Power>{});
  return nic;
}

struct Kind {
  std::string_view name;
  Body (*read)(Section&, const Numbers&);
};

constexpr std::array kKinds = {Kind{"rate_table", read_rate_table},
                               Kind{"chip", read_chip},
                               Kind{"box", read_box},
                               Kind{"module", read_module},
                               Kind{"nic", read_nic},
                               Kind{"components", read_components},
                               Kind{"power_supply", read_power_supply}};

}  // namespace

const std::vector<std::string>& kind_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    list.reserve(kKinds.size());
    for (const Kind& kind : kKinds) list.emplace_back(kind.name);
    return list;
  }();
  return names;
}

Body read_body(std::string_view name, Section& part, const Numbers& numbers) {
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return kind.read(part, numbers);
  }
  return {};
}

}  // namespace ebb::files::parts
