// SPDX-License-Identifier: Apache-2.0
#include "beside_published.hpp"

#include "ebb/plan/rule_count.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace ebb::repro {
namespace {

struct Network {
  std::string name;
  std::string family;
  ParameterTexts parameters;
};

double number(std::int64_t count) { return static_cast<double>(count); }

constexpr std::int64_t kPorts[] = {8, 16, 24, 48, 96};  // the switches of Fig. 4

// Table I: the largest balanced network of each topology from switches of so many ports.
std::vector<Network> largest_networks(std::int64_t ports) {
  const auto text = [](std::int64_t n) { return std::to_string(n); };
  const std::string quarter = text(ports / 4);
  const std::string plane = text((ports + 2) / 3);
  const std::string space = text((ports + 3) / 4);
  return {{"Dragonfly", "dragonfly", {{"p", quarter}, {"a", text(ports / 2)}, {"h", quarter}}},
          {"3D flattened butterfly",
           "fbfly",
           {{"hosts", space}, {"dims", fmt::format("{0}x{0}x{0}", space)}}},
          {"2D flattened butterfly",
           "fbfly",
           {{"hosts", plane}, {"dims", fmt::format("{0}x{0}", plane)}}},
          {"3-level folded Clos",
           "clos",
           {{"levels", "3"}, {"ports", text(ports)}, {"hosts", text(ports * ports * ports / 4)}}}};
}

std::string point_name(const Network& network, std::int64_t ports, std::string_view what) {
  return fmt::format("{}, {} ports: {}", network.name, ports, what);
}

Result<Measurements> measure_figure_4() {
  Measurements measured;
  for (const std::int64_t ports : kPorts) {
    for (const Network& network : largest_networks(ports)) {
      const auto known = topology::figures(network.family, network.parameters);
      if (!known) return fail(known.error());
      measured.emplace_back(point_name(network, ports, "hosts"), number(known->hosts));
      measured.emplace_back(point_name(network, ports, "rules"),
                            number(plan::count_rules(*known).per_group));
    }
  }
  return measured;
}

// Table I, switches of 96 ports: a quarter of the ports for hosts in both topologies.
Result<Measurements> measure_rules(Lab&) {
  const Network networks[] = {{"dragonfly", "dragonfly", {{"p", "24"}, {"a", "48"}, {"h", "24"}}},
                              {"fbfly3", "fbfly", {{"hosts", "24"}, {"dims", "24x24x24"}}}};
  auto points = measure_figure_4();
  if (!points) return points;
  Measurements measured = std::move(*points);
  for (const Network& network : networks) {
    const auto known = topology::figures(network.family, network.parameters);
    if (!known) return fail(known.error());
    measured.emplace_back(network.name + ".hosts", number(known->hosts));
    measured.emplace_back(network.name + ".rules", number(plan::count_rules(*known).per_group));
  }
  return measured;
}

Result<Measurements> measure_sizes(Lab&) {
  const Network networks[] = {
      {"clos", "clos", {{"levels", "4"}, {"ports", "72"}, {"hosts", "303264"}}},
      {"fbfly", "fbfly", {{"hosts", "15"}, {"dims", "15x15x15x6"}, {"parallel", "1x1x1x3"}}},
      {"dragonfly", "dragonfly", {{"p", "18"}, {"a", "36"}, {"h", "18"}, {"g", "463"}}}};
  Measurements measured;
  std::int64_t most_ports = 0;
  for (const Network& network : networks) {
    const auto graph =
        topology::build(network.family, network.parameters, {gigabits_per_second(40)});
    if (!graph) return fail(graph.error());
    measured.emplace_back(network.name + ".switches", number(graph->switch_count()));
    measured.emplace_back(network.name + ".hosts", number(graph->host_count()));
    most_ports = std::max<std::int64_t>(most_ports, degrees(*graph).most);
  }
  measured.emplace_back("most_ports", number(most_ports));
  return measured;
}

std::vector<figures::Figure> draw_figure_4(const Row&, const Measurements& measured) {
  figures::Figure figure{.name = "figure-4",
                         .title =
                             "Fig. 4: rules per access switch, three levels of addresses, "
                             "switches of 8 to 96 ports",
                         .x = {"hosts", "", true},
                         .y = {"rules per access switch", "", true}};
  for (const Network& network : largest_networks(kPorts[0]))
    figure.series.push_back({network.name, {}});
  for (const std::int64_t ports : kPorts) {
    for (figures::Series& series : figure.series) {
      const Network network{series.label, "", {}};
      series.points.push_back({value_of(measured, point_name(network, ports, "hosts")),
                               value_of(measured, point_name(network, ports, "rules")),
                               {}});
    }
  }
  figure.references = {{"flat addresses", {{20, 20, {}}, {1e6, 1e6, {}}}},
                       {"published: > 300,000 hosts ...", {{3e5, 10, {}}, {3e5, 4096, {}}}}};
  figure.levels = {{"... with < 4,096 rules", 4096}};
  return {figure};
}

std::vector<figures::Figure> draw_sizes(const Row& row, const Measurements& measured) {
  return {beside_published({.name = "sizes",
                            .title = "Switches of 72 ports for about 300,000 hosts",
                            .y = {"switches", ""}},
                           row, measured,
                           {{"4-stage Clos", "clos.switches"},
                            {"15x15x15x6 flattened butterfly", "fbfly.switches"},
                            {"463-group Dragonfly", "dragonfly.switches"}})};
}

}  // namespace

std::vector<Experiment> experiments_in_exascale() {
  return {{.id = "B1", .measure = measure_rules, .draw = draw_figure_4},
          {.id = "B3", .measure = measure_sizes, .draw = draw_sizes}};
}

}  // namespace ebb::repro
