// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace ebb::plan {
namespace {

using power::Library;
using power::Part;
using Change = std::function<void(Inputs&, Library&, Ratio)>;

struct Knob {
  std::string name;
  Change change;
};

Ratio times(Ratio a, Ratio b) { return {a.num() * b.num(), a.den() * b.den()}; }

template <class T>
void scale_value(power::Sourced<T>& number, Ratio by) {
  number.value = scale(number.value, by);
}

void scale_value(power::Sourced<Energy>& number, Ratio by) {
  number.value = attojoules(number.value.count() * by.num() / by.den());
}

// Multiplies every watt and joule of one part.
struct ScalePart {
  Ratio by;
  void operator()(power::RateTable&) const {}
  void operator()(power::PowerSupply&) const {}
  void operator()(power::Chip& chip) const { scale_value(chip.power, by); }
  void operator()(power::Nic& nic) const { scale_value(nic.power, by); }
  void operator()(power::Components& components) const {
    for (auto* number :
         {&components.buffers.write, &components.buffers.read, &components.crossbar_bit,
          &components.crossbar_setup, &components.arbitration, &components.lookup,
          &components.nic_bit, &components.nic_packet})
      scale_value(*number, by);
    for (auto* number : {&components.buffers.leakage, &components.logic, &components.nic_idle})
      scale_value(*number, by);
  }
  void operator()(power::Module& module) const {
    for (auto& step : module.steps) scale_value(step.power, by);
  }
  void operator()(power::Box& box) const {
    scale_value(box.base, by);
    for (auto& setup : box.setups) {
      for (auto* number : {&setup.port, &setup.plugged, &setup.up}) scale_value(*number, by);
      if (setup.energy_per_bit) scale_value(*setup.energy_per_bit, by);
      if (setup.energy_per_packet) scale_value(*setup.energy_per_packet, by);
    }
    for (auto& table : box.tables) {
      scale_value(table.search_per_bit, by);
      scale_value(table.encode_per_entry, by);
      scale_value(table.leakage_per_megabit, by);
    }
  }
};

// A library in which one part draws `by` times its power.
void scale_part(Library& library, const std::string& name, Ratio by) {
  Library changed;
  for (const auto& source : library.sources()) changed.add_source(source);
  for (Part part : library.parts()) {
    if (part.name == name) std::visit(ScalePart{by}, part.body);
    changed.add_part(std::move(part));
  }
  library = std::move(changed);
}

Knob part_knob(std::string name, std::string part) {
  return {fmt::format("{} power ({})", name, part),
          [part](Inputs&, Library& library, Ratio by) { scale_part(library, part, by); }};
}

std::vector<Knob> knobs(const Inputs& inputs) {
  std::vector<Knob> all = {
      {"electricity price",
       [](Inputs& i, Library&, Ratio by) { i.tariff.price = scale(i.tariff.price, by); }},
      {"PUE", [](Inputs& i, Library&, Ratio by) { i.tariff.pue = times(i.tariff.pue, by); }},
      {"load",
       [](Inputs& i, Library&, Ratio by) { i.load = std::min(Ratio(1, 1), times(i.load, by)); }},
      {"packet size", [](Inputs& i, Library&, Ratio by) { i.packet = scale(i.packet, by); }},
      part_knob("switch", inputs.parts.switch_part)};
  if (inputs.parts.nic) all.push_back(part_knob("host interface", *inputs.parts.nic));
  if (inputs.parts.electrical)
    all.push_back(part_knob("electrical cable", *inputs.parts.electrical));
  if (inputs.parts.optical) all.push_back(part_knob("optical cable", *inputs.parts.optical));
  return all;
}

Result<Money> cost_with(const Design& design, Inputs inputs, Library library, const Knob& knob,
                        Ratio by) {
  knob.change(inputs, library, by);
  const auto changed = price(design.candidate, design.properties, design.parts, inputs, library);
  if (!changed) return fail(changed.error());
  return changed->energy_cost;
}

// The electrical limit moves cables between media, so the network is built and counted again.
Result<Swing> electrical_limit_swing(const Design& design, const Inputs& inputs,
                                     const Library& library) {
  Swing swing{"electrical cable limit", {}, {}};
  for (auto [by, money] :
       {std::pair(Ratio(4, 5), &swing.low), std::pair(Ratio(6, 5), &swing.high)}) {
    Inputs changed = inputs;
    changed.floor.electrical_limit = scale(inputs.floor.electrical_limit, by);
    const auto again = evaluate(design.candidate, changed, library);
    if (!again) return fail(again.error());
    *money = again->energy_cost;
  }
  return swing;
}

}  // namespace

Result<std::vector<Swing>> sensitivity(const Design& design, const Inputs& inputs,
                                       const Library& library) {
  std::vector<Swing> swings;
  for (const Knob& knob : knobs(inputs)) {
    const auto low = cost_with(design, inputs, library, knob, Ratio(4, 5));
    const auto high = cost_with(design, inputs, library, knob, Ratio(6, 5));
    if (!low || !high) return fail(low ? high.error() : low.error());
    swings.push_back({knob.name, *low, *high});
  }
  const auto limit = electrical_limit_swing(design, inputs, library);
  if (!limit) return fail(limit.error());
  swings.push_back(*limit);
  std::erase_if(swings, [](const Swing& swing) { return swing.spread() == Money{}; });
  std::stable_sort(swings.begin(), swings.end(),
                   [](const Swing& a, const Swing& b) { return a.spread() > b.spread(); });
  return swings;
}

}  // namespace ebb::plan
