// SPDX-License-Identifier: Apache-2.0
#include "parts_file_kinds.hpp"

#include "parts_file_components.hpp"
#include "parts_file_supplies.hpp"

#include <algorithm>
#include <array>

namespace ebb::files::parts {
namespace {

using power::Box;
using power::Chip;
using power::ForwardingTable;
using power::Ladder;
using power::LadderStep;
using power::Module;
using power::ModuleStep;
using power::Nic;
using power::PortSetup;
using power::Sourced;

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

std::vector<LadderStep> read_ladder_steps(Section& part, const Numbers& numbers) {
  std::vector<LadderStep> steps;
  std::optional<Sourced<Ratio>> last;
  const auto entries = read_list(part, "steps");
  for (const Value& entry : entries) {
    Section section(entry, part.errors());
    const DataRate before = steps.empty() ? DataRate{} : steps.back().rate;
    LadderStep& step = steps.emplace_back();
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

Body read_ladder(Section& part, const Numbers& numbers) {
  Ladder ladder;
  ladder.steps = read_ladder_steps(part, numbers);
  ladder.sleep = numbers.find(part, "sleep", kShares);
  ladder.rate_change = numbers.find(part, "rate_change", kDelays);
  ladder.lane_change = numbers.find(part, "lane_change", kDelays);
  ladder.wake = numbers.find(part, "wake", kDelays);
  if (ladder.sleep && !part.find("wake")) {
    part.value().report(part.errors(), "a ladder that sleeps needs a 'wake' time");
  }
  read_supply_changes(part, numbers, ladder);
  return ladder;
}

Body read_chip(Section& part, const Numbers& numbers) {
  Chip chip;
  chip.ports = read_ports(part);
  chip.port_rate = read_rate(part, "port_rate");
  chip.power = numbers.require(part, "power", kPowers).value_or(Sourced<Power>{});
  chip.link_share = numbers.require(part, "link_share", kShares).value_or(Sourced<Ratio>{});
  chip.ladder = part.find_text("ladder");
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

constexpr std::array kKinds = {Kind{"ladder", read_ladder}, Kind{"chip", read_chip},
                               Kind{"box", read_box},       Kind{"module", read_module},
                               Kind{"nic", read_nic},       Kind{"components", read_components}};

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
