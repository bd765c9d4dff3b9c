// SPDX-License-Identifier: Apache-2.0
#include "ebb/plan/power.hpp"

#include "ebb/plan/design.hpp"
#include "ebb/power/model.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace ebb::plan {
namespace {

using topology::Graph;
using topology::Link;
using topology::Medium;

int switch_ends(const Graph& graph, const Link& link) {
  return (graph.is_host(link.a) ? 0 : 1) + (graph.is_host(link.b) ? 0 : 1);
}

void count_link(const Graph& graph, const Link& link, PartsCount& count) {
  const int ends = switch_ends(graph, link);
  switch (link.medium) {
    case Medium::backplane:
      ++count.backplane_links;
      break;
    case Medium::electrical:
      ++count.electrical_links;
      count.electrical_ports += ends;
      break;
    case Medium::optical:
      ++count.optical_links;
      count.optical_ports += ends;
      break;
  }
}

// One end of a link.
void count_port(const Graph& graph, topology::NodeId node, Medium medium,
                std::vector<SwitchKind>& switches) {
  if (graph.is_host(node) || medium == Medium::backplane) return;
  SwitchKind& own = switches[index(node)];
  ++(medium == Medium::electrical ? own.electrical_ports : own.optical_ports);
}

// By how many ports of each medium they have.
std::vector<SwitchKind> kinds_of(const std::vector<SwitchKind>& switches) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  for (const SwitchKind& one : switches) ++counts[{one.electrical_ports, one.optical_ports}];
  std::vector<SwitchKind> kinds;
  kinds.reserve(counts.size());
  for (const auto& [ports, count] : counts) kinds.push_back({ports.first, ports.second, count});
  return kinds;
}

}  // namespace

PartsCount count_parts(const Graph& graph, std::int64_t hosts, std::int64_t ports_per_chip) {
  PartsCount count;
  count.hosts = std::min<std::int64_t>(hosts, graph.hosts_of_plane());
  count.interfaces = graph.interfaces();
  count.chips = graph.switch_count();
  count.boxes = graph.switch_count() / graph.chips_per_box();
  count.ports_per_chip = ports_per_chip;
  const auto connected = static_cast<std::uint32_t>(count.hosts);
  std::vector<SwitchKind> switches(graph.switch_count());
  for (const Link& link : graph.links()) {
    if (beyond_hosts(graph, link, connected)) continue;
    count_link(graph, link, count);
    for (const auto node : {link.a, link.b}) count_port(graph, node, link.medium, switches);
  }
  count.switch_kinds = kinds_of(switches);
  count.cables = count_cables(graph, connected);
  const std::int64_t all_ports = count.chips * ports_per_chip;
  const std::int64_t outside_ports = all_ports - 2 * count.backplane_links;
  const std::int64_t cabled = count.electrical_ports + count.optical_ports;
  count.unused_ports = outside_ports - cabled;
  count.lit_ports = count.backplane_links == 0 ? cabled : cabled * all_ports / outside_ports;
  return count;
}

namespace {

using power::Box;
using power::Chip;
using power::Library;
using power::RateTable;

Result<Power> power_at(Ratio load, const PartsCount& count, Inputs inputs, const Library& library) {
  inputs.load = load;
  const auto parts = power_breakdown(count, inputs, library);
  if (!parts) return fail(parts.error());
  return parts->sum();
}

// What the links save in the slowest step of their rate table.
Result<Power> saved_by_rate_table(const PartsCount& count, const Inputs& inputs,
                                  const Library& library) {
  const auto model = link_model(inputs, library);
  if (!model) return fail(model.error());
  if (!*model) return Power{};
  return (*model)->links(count) - (*model)->links(count, power::slowest(*(*model)->rate_table));
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
    return SwitchOffer{power::at_rate(*chip, inputs.rate).ports, true};
  }
  if (const Box* box = std::get_if<Box>(&(*part)->body))
    return SwitchOffer{power::ports_at(*box, inputs.rate), false};
  return fail(fmt::format("'{}' is a {}, not a switch", (*part)->name, kind_of(**part)));
}

Power LinkModel::links(const PartsCount& count, Ratio relative) const {
  const Power all = scale(chip.power.value, chip.link_share.value);
  return scale(scale(all, relative), Ratio(count.lit_ports, chip.ports));
}

Result<std::optional<LinkModel>> link_model(const Inputs& inputs, const Library& library) {
  const auto part = library.find(inputs.parts.switch_part);
  if (!part) return fail(part.error());
  const auto whole = power::as_chip(**part, library);
  if (!whole && inputs.parts.rate_table) {
    return fail(fmt::format("'{}' is a {} of whose links nothing is known: it has no rate table",
                            (*part)->name, kind_of(**part)));
  }
  if (!whole) return std::optional<LinkModel>{};
  LinkModel model{.chip = power::at_rate(*whole, inputs.rate)};
  const auto& name = inputs.parts.rate_table ? inputs.parts.rate_table : model.chip.rate_table;
  if (!name) return std::optional<LinkModel>{};
  const auto rate_table = library.find_as<RateTable>(*name);
  if (!rate_table) return fail(rate_table.error());
  const DataRate full = (*rate_table)->steps.back().rate;
  if (inputs.parts.rate_table && full != model.chip.port_rate) {
    return fail(fmt::format("rate table '{}' ends at {}, but the ports of '{}' run at {}", *name,
                            to_text(full), (*part)->name, to_text(model.chip.port_rate)));
  }
  model.rate_table_name = *name;
  model.rate_table = *rate_table;
  return model;
}

Result<Watts> network_power(const PartsCount& count, const Inputs& inputs, const Library& library) {
  const auto idle = power_at(Ratio(0, 1), count, inputs, library);
  if (!idle) return fail(idle.error());
  const auto saved = saved_by_rate_table(count, inputs, library);
  if (!saved) return fail(saved.error());
  const Power at_load = *power_at(inputs.load, count, inputs, library);
  const Power peak = *power_at(Ratio(1, 1), count, inputs, library);
  return Watts{*idle, at_load, peak, *idle - *saved, scale(peak, inputs.load)};
}

Money energy_cost(Power power, const Tariff& tariff) {
  constexpr std::int64_t kHoursPerYear = 8760;
  return cost(scale(power, tariff.pue) * std::chrono::hours(tariff.years * kHoursPerYear),
              tariff.price);
}

}  // namespace ebb::plan
