// SPDX-License-Identifier: Apache-2.0
#include "experiments/measure.hpp"

#include "ebb/plan/rule_count.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <algorithm>

namespace ebb::repro {
namespace {

struct Network {
  std::string name;
  std::string family;
  ParameterTexts parameters;
};

double number(std::int64_t count) { return static_cast<double>(count); }

}  // namespace

// Table I, switches of 96 ports: a quarter of the ports for hosts in both topologies.
Result<Measurements> measure_exascale_rules(const power::Library&) {
  const Network networks[] = {{"dragonfly", "dragonfly", {{"p", "24"}, {"a", "48"}, {"h", "24"}}},
                              {"fbfly3", "fbfly", {{"hosts", "24"}, {"dims", "24x24x24"}}}};
  Measurements measured;
  for (const Network& network : networks) {
    const auto known = topology::figures(network.family, network.parameters);
    if (!known) return fail(known.error());
    measured.emplace_back(network.name + ".hosts", number(known->hosts));
    measured.emplace_back(network.name + ".rules", number(plan::count_rules(*known).per_group));
  }
  return measured;
}

Result<Measurements> measure_exascale_sizes(const power::Library&) {
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

}  // namespace ebb::repro
