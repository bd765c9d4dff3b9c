// SPDX-License-Identifier: Apache-2.0
//
// "On the Use of Commodity Ethernet Technology in Exascale HPC Systems": sizes and power of the
// three networks that it compares.
#include "beside_published.hpp"

#include "ebb/plan/design.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace ebb::repro::exascale_power {
namespace {

// The three networks of about 300,000 hosts from switches of 72 ports that the paper compares:
// Clos, flattened butterfly, Dragonfly.
struct ExascaleNetwork {
  std::string id;
  std::string name;
  std::string family;
  ParameterTexts parameters;
};

std::span<const ExascaleNetwork> exascale_networks() {
  static const std::array<ExascaleNetwork, 3> networks = {
      {{"clos", "Clos", "clos", {{"levels", "4"}, {"ports", "72"}, {"hosts", "303264"}}},
       {"fbfly",
        "flattened butterfly",
        "fbfly",
        {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}},
       {"dragonfly",
        "Dragonfly",
        "dragonfly",
        {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}}}};
  return networks;
}

Result<topology::Graph> build(const ExascaleNetwork& network) {
  return topology::build(network.family, network.parameters, {gigabits_per_second(40)});
}

double number(std::int64_t count) { return static_cast<double>(count); }

Result<Measurements> measure_sizes(RunCache&) {
  Measurements measured;
  std::int64_t most_ports = 0;
  for (const ExascaleNetwork& network : exascale_networks()) {
    const auto graph = build(network);
    if (!graph) return fail(graph.error());
    measured.emplace_back(network.id + ".switches", number(graph->switch_count()));
    measured.emplace_back(network.id + ".hosts", number(graph->host_count()));
    most_ports = std::max<std::int64_t>(most_ports, degrees(*graph).most);
  }
  measured.emplace_back("most_ports", number(most_ports));
  return measured;
}

std::vector<plots::Figure> draw_sizes(const Row& row, const Measurements& measured) {
  return {beside_published({.name = "sizes",
                            .title = "Switches of 72 ports for about 300,000 hosts",
                            .y = {"switches", ""}},
                           row, measured,
                           {{"4-stage Clos", "clos.switches"},
                            {"15x15x15x6 flattened butterfly", "fbfly.switches"},
                            {"463-group Dragonfly", "dragonfly.switches"}})};
}

// Figure 11: watts of three networks with five organisations of their tables. Tables are generated
// and counted; what a search takes comes from the part exascale-ethernet-72.

using forwarding::Detail;
using plan::Breakdown;
using plan::PartsCount;
using power::Library;

constexpr const char* kSwitch = "exascale-ethernet-72";

struct Organisation {
  std::string name;
  std::string kind;
  Detail detail;
};

const std::vector<Organisation>& organisations() {
  static const std::vector<Organisation> all = {{"CAM flat", "CAM", Detail::flat},
                                                {"TCAM flat", "TCAM", Detail::flat},
                                                {"per switch", "TCAM", Detail::per_switch},
                                                {"per group", "TCAM", Detail::per_group},
                                                {"compact", "TCAM", Detail::compact}};
  return all;
}

// Section VI-A: hosts hang on electrical ports, all else is optical; all ports full of the smallest
// packets. Preamble and gap are not counted, as they are not in the energy of the buffers.
PartsCount count_parts(const topology::Graph& graph) {
  PartsCount count;
  count.hosts = graph.host_count();
  count.chips = graph.switch_count();
  count.boxes = graph.switch_count();
  count.electrical_ports = graph.host_count();
  count.optical_ports = 2 * (std::int64_t{graph.link_count()} - graph.host_count());
  return count;
}

// A network with the entries of each organisation of its tables.
struct Counted {
  const ExascaleNetwork* network = nullptr;
  std::vector<PartsCount> by_organisation;
};

Result<std::vector<Counted>> count_networks() {
  std::vector<Counted> all;
  for (const ExascaleNetwork& network : exascale_networks()) {
    const auto graph = build(network);
    if (!graph) return fail(graph.error());
    Counted& counted = all.emplace_back(Counted{&network, {}});
    for (const Organisation& organisation : organisations()) {
      const auto tables = plan::count_tables(*graph, organisation.detail);
      if (!tables) return fail(tables.error());
      counted.by_organisation.push_back(count_parts(*graph));
      counted.by_organisation.back().tables = *tables;
    }
  }
  return all;
}

plan::Inputs inputs_for(const Organisation& organisation, DataSize packet) {
  plan::Inputs inputs;
  inputs.load = Ratio(1, 1);
  inputs.packet = packet;
  inputs.parts.switch_part = kSwitch;
  inputs.tables = plan::TableChoice{organisation.kind, organisation.detail};
  return inputs;
}

Result<Breakdown> breakdown(const Counted& counted, std::size_t organisation,
                            const Library& library, DataSize packet = bytes(64)) {
  return plan::power_breakdown(counted.by_organisation[organisation],
                               inputs_for(organisations()[organisation], packet), library);
}

double megawatts(Power power) { return to_watts(power) * 1e-6; }

std::string point_name(const ExascaleNetwork& network, const Organisation& organisation,
                       std::string_view part) {
  return fmt::format("{}, {}: {}", network.name, organisation.name, part);
}

const std::vector<std::pair<std::string, Power Breakdown::*>>& dissected() {
  static const std::vector<std::pair<std::string, Power Breakdown::*>> parts = {
      {"CPU and logic", &Breakdown::base},
      {"ports", &Breakdown::ports},
      {"buffers", &Breakdown::traffic},
      {"tables", &Breakdown::tables}};
  return parts;
}

Result<void> dissect(const std::vector<Counted>& networks, const Library& library,
                     Measurements& measured) {
  for (const Counted& counted : networks) {
    for (std::size_t o = 0; o < organisations().size(); ++o) {
      const auto parts = breakdown(counted, o, library);
      if (!parts) return fail(parts.error());
      for (const auto& [name, part] : dissected()) {
        measured.emplace_back(point_name(*counted.network, organisations()[o], name),
                              megawatts((*parts).*part));
      }
    }
  }
  return {};
}

// In percent of the Clos with flat tables in CAM.
struct Savings {
  double total = 0;       // of the Dragonfly with compact tables
  double compaction = 0;  // of the Clos with compact tables
  [[nodiscard]] double topology() const { return total - compaction; }
};

Result<Savings> savings(const std::vector<Counted>& networks, const Library& library,
                        DataSize packet) {
  const std::size_t compact = organisations().size() - 1;
  const auto reference = breakdown(networks.front(), 0, library, packet);
  const auto clos = breakdown(networks.front(), compact, library, packet);
  const auto dragonfly = breakdown(networks.back(), compact, library, packet);
  for (const auto* parts : {&reference, &clos, &dragonfly}) {
    if (!*parts) return fail(parts->error());
  }
  const auto saved = [&](const Breakdown& parts) {
    return 100 * (1 - to_watts(parts.sum()) / to_watts(reference->sum()));
  };
  return Savings{saved(*dragonfly), saved(*clos)};
}

// Other readings of what the paper leaves open, to see what the savings rest on.
struct Reading {
  std::string name;
  std::function<void(power::ForwardingTable&)> change;
  DataSize packet = bytes(64);
};

std::vector<Reading> readings() {
  return {{"as modelled", [](auto&) {}},
          {"preamble and gap counted", [](auto&) {}, bytes(84)},
          {"CAM of ternary cells",
           [](auto& table) {
             if (table.kind == "CAM") table.search_per_bit.value = attojoules(580);
           }},
          {"hashed SRAM for CAM",
           [](auto& table) {
             if (table.kind == "CAM") table.search_per_bit.value = attojoules(0);
           }},
          {"TCAM of 0.36 fJ/b", [](auto& table) {
             if (table.kind == "TCAM") table.search_per_bit.value = attojoules(360);
           }}};
}

Library changed(const Library& library, const Reading& reading) {
  Library copy;
  for (const power::Source& source : library.sources()) copy.add_source(source);
  for (power::Part part : library.parts()) {
    if (part.name == kSwitch) {
      for (power::ForwardingTable& table : std::get<power::Box>(part.body).tables)
        reading.change(table);
    }
    copy.add_part(std::move(part));
  }
  return copy;
}

Result<void> add_readings(const std::vector<Counted>& networks, const Library& library,
                          Measurements& measured) {
  for (const Reading& reading : readings()) {
    const Library other = changed(library, reading);
    const auto saved = savings(networks, other, reading.packet);
    if (!saved) return fail(saved.error());
    const auto flat = breakdown(networks.back(), 1, other, reading.packet);
    if (!flat) return fail(flat.error());
    const auto switches = static_cast<double>(networks.back().by_organisation[1].boxes);
    measured.emplace_back(reading.name + ": total", saved->total);
    measured.emplace_back(reading.name + ": compaction", saved->compaction);
    measured.emplace_back(reading.name + ": topology", saved->topology());
    measured.emplace_back(reading.name + ": flat TCAM", to_watts(flat->tables) / switches);
  }
  return {};
}

// The least of the three networks for bounds from below; the mean for "around a megawatt".
Result<void> add_tables(const std::vector<Counted>& networks, const Library& library,
                        Measurements& measured) {
  double flat_switch = std::numeric_limits<double>::max();
  double flat_network = flat_switch;
  double per_switch = 0;
  double per_group_excess = 0;
  for (const Counted& counted : networks) {
    std::vector<Breakdown> all;
    for (std::size_t o = 0; o < organisations().size(); ++o) {
      const auto parts = breakdown(counted, o, library);
      if (!parts) return fail(parts.error());
      all.push_back(*parts);
    }
    const auto switches = static_cast<double>(counted.by_organisation[1].boxes);
    flat_switch = std::min(flat_switch, to_watts(all[1].tables) / switches);
    flat_network = std::min(flat_network, megawatts(all[1].tables));
    per_switch += megawatts(all[2].tables) / static_cast<double>(networks.size());
    per_group_excess =
        std::max(per_group_excess, 100 * (to_watts(all[3].sum()) / to_watts(all[4].sum()) - 1));
  }
  measured.emplace_back("flat_switch", flat_switch);
  measured.emplace_back("flat_network", flat_network);
  measured.emplace_back("per_switch", per_switch);
  measured.emplace_back("per_group_excess", per_group_excess);
  return {};
}

Result<Measurements> measure_power(RunCache& cache) {
  const auto networks = count_networks();
  if (!networks) return fail(networks.error());
  const auto saved = savings(*networks, cache.parts(), bytes(64));
  if (!saved) return fail(saved.error());
  Measurements measured = {
      {"total", saved->total}, {"compaction", saved->compaction}, {"topology", saved->topology()}};
  for (const auto add : {add_tables, dissect, add_readings}) {
    if (auto added = add(*networks, cache.parts(), measured); !added) return fail(added.error());
  }
  return measured;
}

plots::Figure dissected_figure(std::string name, std::string title, bool flat_tcam,
                               const Measurements& measured) {
  plots::Figure figure{.name = std::move(name),
                       .title = std::move(title),
                       .kind = plots::Kind::stacked_bars,
                       .y = {"power", "MW"}};
  for (const auto& [part, member] : dissected()) figure.series.push_back({part, {}});
  for (const ExascaleNetwork& network : exascale_networks()) {
    for (const Organisation& organisation : organisations()) {
      if (!flat_tcam && organisation.name == "TCAM flat") continue;
      const auto x = static_cast<double>(figure.categories.size());
      figure.categories.push_back(network.name + ", " + organisation.name);
      for (plots::Series& series : figure.series) {
        series.points.push_back(
            {x, value_of(measured, point_name(network, organisation, series.label)), {}});
      }
    }
  }
  return figure;
}

plots::Figure readings_figure(const Measurements& measured) {
  plots::Figure figure{.name = "readings",
                       .title = "What the savings rest on: other readings of the tables",
                       .kind = plots::Kind::bars,
                       .y = {"saved of the Clos with CAM", "%"}};
  for (const char* part : {"total", "compaction", "topology"}) {
    plots::Series series{part, {}};
    for (const Reading& reading : readings()) {
      const auto x = static_cast<double>(series.points.size());
      series.points.push_back({x, value_of(measured, reading.name + ": " + part), {}});
    }
    figure.series.push_back(std::move(series));
  }
  for (const Reading& reading : readings()) figure.categories.push_back(reading.name);
  return figure;
}

plots::Figure flat_figure(const Measurements& measured) {
  plots::Figure figure{.name = "readings-flat",
                       .title = "Flat TCAM of a switch of the Dragonfly, by reading",
                       .kind = plots::Kind::bars,
                       .y = {"power", "W"}};
  plots::Series series{"flat TCAM", {}};
  for (const Reading& reading : readings()) {
    const auto x = static_cast<double>(series.points.size());
    series.points.push_back({x, value_of(measured, reading.name + ": flat TCAM"), {}});
    figure.categories.push_back(reading.name);
  }
  figure.series = {std::move(series)};
  figure.levels = {{"published: more than 900 W", 900}};
  return figure;
}

std::vector<plots::Figure> draw_figure_11(const Row&, const Measurements& measured) {
  return {
      dissected_figure("figure-11", "Fig. 11: power by organisation of the tables", true, measured),
      dissected_figure("figure-11-feasible", "Fig. 11 without the flat TCAM", false, measured),
      readings_figure(measured), flat_figure(measured)};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{.id = "B3", .measure = measure_sizes, .draw = draw_sizes},
          {.id = "B4", .measure = measure_power, .draw = draw_figure_11}};
}

}  // namespace ebb::repro::exascale_power
