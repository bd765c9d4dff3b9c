// SPDX-License-Identifier: Apache-2.0
#include "command_line/text.hpp"

#include "ebb/power/power_groups.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace ebb::cli {
namespace {

using power::Library;
using power::Part;
using power::Sourced;

struct Fact {
  std::string name;
  std::string value;
  std::optional<std::uint32_t> source;  // none: a plain fact such as a port count
};

// Lists the numbers of a part, one visitor for the text and for the evidence.
class Facts {
 public:
  std::vector<Fact> all;

  void operator()(const power::RateTable& rate_table) {
    for (const auto& step : rate_table.steps) {
      add(fmt::format("power at {} on {} lane{}", to_text(step.rate), step.lanes,
                      step.lanes == 1 ? "" : "s"),
          percent(step.relative_power.value), step.relative_power.source);
    }
    for (const auto& step : rate_table.steps)
      add_optional("supply at " + to_text(step.rate), step.supply);
    if (rate_table.sleep)
      add("power asleep", percent(rate_table.sleep->value), rate_table.sleep->source);
    add_optional("rate change", rate_table.rate_change);
    add_optional("lane change", rate_table.lane_change);
    add_optional("wake", rate_table.wake);
    add_optional("supply moves in a us", rate_table.supply_per_us);
    add_optional("rate when woken", rate_table.wake_rate);
  }
  void operator()(const power::Chip& chip) {
    add("ports", fmt::format("{} x {}", chip.ports, to_text(chip.port_rate)));
    add_breakout(chip.lanes, chip.breakout);
    add("power, all ports on", chip.power);
    add("share that follows the links", percent(chip.link_share.value), chip.link_share.source);
    if (chip.rate_table) add("rate_table", *chip.rate_table);
    add_groups(chip.groups, chip.ports);
    if (chip.supply) {
      add("power supplies", fmt::format("{} x {}", chip.supply->count, chip.supply->part));
      add_optional("a supply is rated for", chip.supply->rated);
    }
  }
  void operator()(const power::Box& box) {
    add("ports", std::to_string(box.ports));
    add_breakout(box.lanes, box.breakout);
    if (box.chip) add("chip", *box.chip);
    add("base", box.base);
    add_groups(box.groups, box.ports);
    for (const auto& setup : box.setups) {
      const std::string prefix =
          fmt::format("{} ({}, {})", setup.name, setup.medium, to_text(setup.rate));
      if (setup.ports) add(prefix + ": ports", std::to_string(*setup.ports));
      add(prefix + ": port", setup.port);
      add(prefix + ": module plugged", setup.plugged);
      add(prefix + ": link up", setup.up);
      add_optional(prefix + ": per bit", setup.energy_per_bit);
      add_optional(prefix + ": per packet", setup.energy_per_packet);
    }
    for (const auto& table : box.tables) {
      add(table.kind + ": width of an entry", table.width);
      add(table.kind + ": search, per bit", table.search_per_bit);
      add(table.kind + ": priority encoder, per entry", table.encode_per_entry);
      add(table.kind + ": leakage of 10^6 bits", table.leakage_per_megabit);
    }
  }
  void operator()(const power::Module& module) {
    add("medium", module.medium);
    if (module.reach) add("reach", to_text(*module.reach));
    for (const auto& step : module.steps) add("power at " + to_text(step.rate), step.power);
    add_optional("wake", module.wake);
  }
  void operator()(const power::Nic& nic) {
    add("rate", to_text(nic.rate));
    add("power", nic.power);
  }
  void operator()(const power::Components& components) {
    add_buffers(components.buffers);
    add("crossbar: per bit", components.crossbar_bit);
    add("crossbar: per packet", components.crossbar_setup);
    add("arbiter: per packet", components.arbitration);
    add("tables: per packet", components.lookup);
    add("logic of a switch", components.logic);
    add("network card: per bit", components.nic_bit);
    add("network card: per packet", components.nic_packet);
    add("network card: idle", components.nic_idle);
  }
  void operator()(const power::PowerSupply& supply) {
    add_optional("rated for", supply.rated);
    for (const power::EfficiencyPoint& point : supply.efficiency) {
      add("efficiency at load " + percent(point.load), percent(point.efficiency.value),
          point.efficiency.source);
    }
  }
  void add_price(const Part& part) { add_optional("price", part.price); }

 private:
  void add_breakout(int lanes, const std::vector<power::Breakout>& breakout) {
    if (breakout.empty()) return;
    add("lanes of a port", std::to_string(lanes));
    for (const power::Breakout& split : breakout)
      add("a port broken out", fmt::format("{} x {}", split.ports, to_text(split.rate)));
  }
  void add_groups(const std::vector<power::PowerGroup>& groups, int ports) {
    for (const power::PowerGroup& group : groups) {
      const int count = power::count_of(group, ports);
      const std::string prefix = (count == 1 ? "" : fmt::format("{} x ", count)) + group.name;
      add(prefix + ": awake", group.power);
      add_optional(prefix + ": asleep", group.asleep);
      add_optional(prefix + ": wake", group.wake);
      if (group.after) add(prefix + ": wakes after", *group.after);
    }
  }
  void add_buffers(const power::BufferCells& buffers) {
    add("buffers: cell", to_text(buffers.cell));
    add("buffers: write, per bit", buffers.write);
    add("buffers: read, per bit", buffers.read);
    add("buffers: leakage of a cell", buffers.leakage);
    if (buffers.gated)
      add("buffers: of that, gated", percent(buffers.gated->value), buffers.gated->source);
  }
  static std::string percent(Ratio ratio) {
    return fmt::format("{:.4g} %", 100 * ratio.to_double());
  }
  void add(std::string name, std::string value,
           std::optional<std::uint32_t> source = std::nullopt) {
    all.push_back({std::move(name), std::move(value), source});
  }
  template <class T>
  void add(std::string name, const Sourced<T>& number) {
    add(std::move(name), to_text(number.value), number.source);
  }
  template <class T>
  void add_optional(std::string name, const std::optional<Sourced<T>>& number) {
    if (number) add(std::move(name), *number);
  }
};

std::vector<Fact> facts_of(const Part& part) {
  Facts facts;
  std::visit(facts, part.body);
  facts.add_price(part);
  return std::move(facts.all);
}

std::string source_text(const power::Source& source) {
  std::string text = fmt::format("  [{}] {}, {} ({})\n", source.id, source.title, source.date,
                                 to_text(source.evidence));
  if (!source.note.empty()) text += wrapped(source.note, 100, "      ");
  return text;
}

}  // namespace

std::string part_text(const Part& part, const Library& library) {
  Table table({{"number"}, {"value", Table::Align::right}, {"evidence"}, {"source"}});
  std::set<std::uint32_t> sources;
  for (const Fact& fact : facts_of(part)) {
    if (fact.source) sources.insert(*fact.source);
    table.add({fact.name, fact.value,
               fact.source ? std::string(to_text(library.source(*fact.source).evidence)) : "",
               fact.source ? fmt::format("[{}]", library.source(*fact.source).id) : ""});
  }
  std::string text = fmt::format("{} ({})\n{}\n\n{}\nSources:\n", part.name, kind_of(part),
                                 part.summary, table.text());
  for (const std::uint32_t source : sources) text += source_text(library.source(source));
  return text;
}

std::string evidence_text(const Part& part, const Library& library) {
  std::set<power::Evidence> kinds;
  for (const Fact& fact : facts_of(part)) {
    if (fact.source) kinds.insert(library.source(*fact.source).evidence);
  }
  std::string text;
  for (const power::Evidence kind : kinds)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", to_text(kind));
  return text;
}

}  // namespace ebb::cli
