// SPDX-License-Identifier: Apache-2.0
//
// Rules of access switches, counted in generated tables. Networks are built whole: the largest, of
// 1.3 million hosts, takes half a second with its addresses, a table some milliseconds.
#include "beside_published.hpp"

#include "ebb/forwarding/table.hpp"
#include "ebb/plan/tables.hpp"
#include "ebb/topology/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace ebb::repro::exascale_rules {
namespace {

using forwarding::Detail;

struct Network {
  std::string id;
  std::string name;
  std::string family;
  ParameterTexts parameters;
};

constexpr std::int64_t kPorts[] = {8, 16, 24, 48, 96};  // the switches of Figs. 4 and 6

// Table I: the largest balanced network of each topology from switches of so many ports.
std::vector<Network> largest_networks(std::int64_t ports) {
  const auto text = [](std::int64_t n) { return std::to_string(n); };
  const std::string quarter = text(ports / 4);
  const std::string plane = text((ports + 2) / 3);
  const std::string space = text((ports + 3) / 4);
  return {{"dragonfly",
           "Dragonfly",
           "dragonfly",
           {{"p", quarter}, {"a", text(ports / 2)}, {"h", quarter}}},
          {"fbfly3",
           "3D flattened butterfly",
           "fbfly",
           {{"hosts", space}, {"dims", fmt::format("{0}x{0}x{0}", space)}}},
          {"fbfly2",
           "2D flattened butterfly",
           "fbfly",
           {{"hosts", plane}, {"dims", fmt::format("{0}x{0}", plane)}}},
          {"clos",
           "3-level folded Clos",
           "clos",
           {{"levels", "3"}, {"ports", text(ports)}, {"hosts", text(ports * ports * ports / 4)}}}};
}

// Rules of the first access switch, and of all in the first group of a dragonfly, where they differ
// from switch to switch.
struct Counts {
  double hosts = 0;
  double ports = 0;
  double formula = 0;  // equation (1)
  double per_group = 0;
  double fewest = 0;  // compact
  double mean = 0;
  double most = 0;
  double minimum = 0;  // what compaction can reach at best: Section III-B
};

void count_compact(const forwarding::TableMaker& maker, std::uint32_t switches, Counts& counts) {
  double sum = 0;
  for (std::uint32_t s = 0; s < switches; ++s) {
    const auto rules = static_cast<double>(maker.table(s, Detail::compact).rules.size());
    counts.fewest = s == 0 ? rules : std::min(counts.fewest, rules);
    counts.most = std::max(counts.most, rules);
    sum += rules;
  }
  counts.mean = sum / switches;
}

Result<Counts> count(const Network& network) {
  const auto known = topology::properties(network.family, network.parameters);
  if (!known) return fail(known.error());
  const auto graph = topology::build(network.family, network.parameters, {gigabits_per_second(40)});
  if (!graph) return fail(graph.error());
  const auto plan = forwarding::AddressPlan::make(*graph);
  if (!plan) return fail(plan.error());
  const auto maker = forwarding::TableMaker::make(*graph, *plan);
  if (!maker) return fail(maker.error());
  const bool dragonfly = network.family == "dragonfly";
  const std::int64_t others = dragonfly ? known->access_switches_per_group - 1 : 0;
  Counts counts;
  counts.hosts = static_cast<double>(known->hosts);
  counts.ports = static_cast<double>(graph->outputs(graph->switch_node(0)).size());
  counts.formula = static_cast<double>(plan::count_rules(*known).per_group);
  counts.per_group = static_cast<double>(maker->table(0, Detail::per_group).rules.size());
  counts.minimum = counts.ports + static_cast<double>(others);
  count_compact(*maker, static_cast<std::uint32_t>(others + 1), counts);
  return counts;
}

std::string point_name(const Network& network, std::int64_t ports, std::string_view what) {
  return fmt::format("{}, {} ports: {}", network.name, ports, what);
}

Result<Measurements> measure_per_group(RunCache&) {
  Measurements measured;
  double difference = 0;
  for (const std::int64_t ports : kPorts) {
    for (const Network& network : largest_networks(ports)) {
      const auto counts = count(network);
      if (!counts) return fail(counts.error());
      measured.emplace_back(point_name(network, ports, "hosts"), counts->hosts);
      measured.emplace_back(point_name(network, ports, "rules"), counts->per_group);
      difference = std::max(difference, std::abs(counts->per_group - counts->formula));
      if (ports != 96) continue;
      measured.emplace_back(network.id + ".hosts", counts->hosts);
      measured.emplace_back(network.id + ".rules", counts->per_group);
    }
  }
  measured.emplace_back("difference", difference);
  return measured;
}

// What Fig. 6 shows of a network.
void add_compact(const Network& network, std::int64_t ports, const Counts& counts,
                 Measurements& measured) {
  const auto add = [&](std::string_view what, double value) {
    measured.emplace_back(point_name(network, ports, what), value);
  };
  add("hosts", counts.hosts);
  add("fewest", counts.fewest);
  add("mean", counts.mean);
  add("most", counts.most);
  add("minimum", counts.minimum);
  add("maximum", counts.formula);
}

Result<Measurements> measure_compact(RunCache&) {
  Measurements measured;
  double outside = 0;
  std::vector<std::pair<std::string, double>> excess;
  for (const std::int64_t ports : kPorts) {
    for (const Network& network : largest_networks(ports)) {
      const auto counts = count(network);
      if (!counts) return fail(counts.error());
      add_compact(network, ports, *counts, measured);
      excess.emplace_back(network.id, std::abs(counts->mean - counts->ports));
      const bool within = counts->fewest >= counts->minimum && counts->most <= counts->formula;
      if (network.id == "dragonfly" && !within) ++outside;
      if (network.id != "dragonfly" || ports != 96) continue;
      measured.emplace_back("dragonfly.fewest", counts->fewest);
      measured.emplace_back("dragonfly.most", counts->most);
    }
  }
  for (const char* id : {"fbfly2", "fbfly3", "clos"}) {
    double largest = 0;
    for (const auto& [of, value] : excess) largest = of == id ? std::max(largest, value) : largest;
    measured.emplace_back(std::string(id) + ".excess", largest);
  }
  measured.emplace_back("dragonfly.outside", outside);
  return measured;
}

plots::Figure empty_figure(std::string name, std::string title) {
  return {.name = std::move(name),
          .title = std::move(title),
          .x = {"hosts", "", true},
          .y = {"rules per access switch", "", true}};
}

std::vector<plots::Figure> draw_figure_4(const Row&, const Measurements& measured) {
  plots::Figure figure =
      empty_figure("figure-4",
                   "Fig. 4: rules per access switch, three levels of addresses, switches of 8 to "
                   "96 ports");
  for (const Network& network : largest_networks(kPorts[0])) {
    plots::Series series{network.name, {}};
    for (const std::int64_t ports : kPorts) {
      series.points.push_back({value_of(measured, point_name(network, ports, "hosts")),
                               value_of(measured, point_name(network, ports, "rules")),
                               {}});
    }
    figure.series.push_back(std::move(series));
  }
  figure.references = {{"flat addresses", {{20, 20, {}}, {1e6, 1e6, {}}}},
                       {"published: > 300,000 hosts ...", {{3e5, 10, {}}, {3e5, 4096, {}}}}};
  figure.levels = {{"... with < 4,096 rules", 4096}};
  return {figure};
}

std::vector<plots::Figure> draw_figure_6(const Row&, const Measurements& measured) {
  plots::Figure figure =
      empty_figure("figure-6", "Fig. 6: rules after compaction, switches of 8 to 96 ports");
  figure.references = {{"Dragonfly, published maximum", {}}, {"Dragonfly, published minimum", {}}};
  for (const Network& network : largest_networks(kPorts[0])) {
    plots::Series series{network.name, {}};
    for (const std::int64_t ports : kPorts) {
      const auto value = [&](std::string_view what) {
        return value_of(measured, point_name(network, ports, what));
      };
      plots::Point point{value("hosts"), value("mean"), {}};
      if (network.id == "dragonfly") {
        point.interval = plots::Interval{value("fewest"), value("most")};
        figure.references[0].points.push_back({value("hosts"), value("maximum"), {}});
        figure.references[1].points.push_back({value("hosts"), value("minimum"), {}});
      }
      series.points.push_back(point);
    }
    figure.series.push_back(std::move(series));
  }
  return {figure};
}

}  // namespace

std::vector<Experiment> experiments() {
  return {{.id = "B1", .measure = measure_per_group, .draw = draw_figure_4},
          {.id = "B2", .measure = measure_compact, .draw = draw_figure_6},
          {.id = "B7",
           .measure = [](RunCache& cache) { return cache.measure_live("B7"); },
           .cost = Cost::live}};
}

}  // namespace ebb::repro::exascale_rules
