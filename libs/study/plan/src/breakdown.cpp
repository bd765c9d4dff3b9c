// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/design.hpp"
#include "ebb/plan/tables.hpp"
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
using power::Library;
using power::Module;

// The per-SerDes model: each chip keeps its core on; links draw by lit port, whatever the traffic.
void add_chips(const Chip& chip, const PartsCount& count, Breakdown& parts) {
  parts.base = core_power(chip) * count.chips;
  parts.ports =
      scale(scale(chip.power.value, chip.link_share.value), Ratio(count.lit_ports, chip.ports));
}

Result<Power> ports_power(const Box& box, std::string_view medium, std::int64_t ports,
                          const Inputs& inputs, Ratio load) {
  if (ports == 0) return Power{};
  const auto setup = power::setup_at(box, medium, inputs.rate);
  if (!setup) {
    return fail(fmt::format("'{}' has no {} port setup for {}", inputs.parts.switch_part, medium,
                            to_text(inputs.rate)));
  }
  return power::port_power({.setup = &*setup, .load = load, .packet = inputs.packet}) * ports;
}

Result<void> add_boxes(const Box& box, const PartsCount& count, const Inputs& inputs,
                       Breakdown& parts) {
  parts.base = box.base.value * count.boxes;
  for (const auto& [medium, ports] : {std::pair("electrical", count.electrical_ports),
                                      std::pair("optical", count.optical_ports)}) {
    const auto idle = ports_power(box, medium, ports, inputs, Ratio(0, 1));
    if (!idle) return fail(idle.error());
    parts.ports += *idle;
    parts.traffic += *ports_power(box, medium, ports, inputs, inputs.load) - *idle;
  }
  return {};
}

Result<void> add_switches(const PartsCount& count, const Inputs& inputs, const Library& library,
                          Breakdown& parts) {
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  if (const Chip* chip = std::get_if<Chip>(&(*part)->body)) {
    add_chips(at_rate(*chip, inputs.rate), count, parts);
    return {};
  }
  return add_boxes(std::get<Box>((*part)->body), count, inputs, parts);
}

Result<Power> tables_power(const PartsCount& count, const Inputs& inputs, const Library& library) {
  if (!inputs.tables || !count.tables) return Power{};
  const auto table = table_of(inputs, library);
  if (!table) return fail(table.error());
  const power::Searches searches{scale(inputs.rate, inputs.load), inputs.packet};
  return search_power(**table, count.tables->entries_by_port, searches) +
         table_leakage(**table, count.tables->entries);
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

// A circuit switch draws the same whatever passes it.
Result<Power> circuits_power(const std::optional<std::string>& name, std::int64_t count,
                             const Library& library) {
  if (!name) return Power{};
  const auto box = library.find_as<Box>(*name);
  if (!box) return fail(box.error());
  return (*box)->base.value * count;
}

}  // namespace

Result<Breakdown> power_breakdown(const PartsCount& count, const Inputs& inputs,
                                  const Library& library) {
  Breakdown parts;
  if (auto added = add_switches(count, inputs, library, parts); !added) return fail(added.error());
  const auto tables = tables_power(count, inputs, library);
  const auto electrical =
      modules_power(inputs.parts.electrical, count.electrical_links, inputs, library);
  const auto optical = modules_power(inputs.parts.optical, count.optical_links, inputs, library);
  const auto nics = nics_power(inputs.parts.nic, count.hosts, library);
  const auto circuits =
      circuits_power(inputs.parts.circuit_switch, count.circuit_switches, library);
  for (const auto* power : {&tables, &electrical, &optical, &nics, &circuits}) {
    if (!*power) return fail(power->error());
  }
  parts.tables = *tables;
  parts.modules = *electrical + *optical;
  parts.nics = *nics;
  parts.circuit_switches = *circuits;
  return parts;
}

}  // namespace ebb::plan
