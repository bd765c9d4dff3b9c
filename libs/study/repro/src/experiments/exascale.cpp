// SPDX-License-Identifier: Apache-2.0
#include "beside_published.hpp"
#include "exascale_networks.hpp"

#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <string>

namespace ebb::repro {
namespace {

double number(std::int64_t count) { return static_cast<double>(count); }

Result<Measurements> measure_sizes(Lab&) {
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

}  // namespace

std::vector<Experiment> experiments_in_exascale() {
  return {{.id = "B3", .measure = measure_sizes, .draw = draw_sizes}};
}

}  // namespace ebb::repro
