// SPDX-License-Identifier: Apache-2.0
//
// `ebb replay --green`: a replay in the IETF's power-and-energy model. Names of links are those of
// the fabric's status, behind the name of the fabric, which has no '/'.
#include "ebb/monitor/energy_objects.hpp"

#include "replay/output.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::cli {

std::string replay_energy_objects(const Replayed& replayed, const replay::PolicyRun& run) {
  const topology::Graph& graph = replayed.file.graph;
  const std::string& fabric = replayed.file.name;
  std::vector<monitor::EnergyObject> objects = {
      {.id = fabric, .consumed = run.total().used, .accuracy = replayed.accuracy}};
  objects.reserve(2 + run.links);
  Energy of_links;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::LinkId link{which};
    if (!graph.connects_switches(link)) continue;
    objects.front().power += run.power[which];
    of_links += run.energy[which];
    objects.push_back({.id = fabric + "/" + topology::link_name(graph, link),
                       .power = run.power[which],
                       .consumed = run.energy[which],
                       .accuracy = replayed.accuracy});
  }
  if (!replayed.switch_groups.empty()) {
    objects.front().power += run.group_power;
    objects.push_back({.id = fabric + "/power-groups",
                       .power = run.group_power,
                       .consumed = run.total().used - of_links,
                       .accuracy = replayed.accuracy});
  }
  return monitor::energy_objects_text(objects);
}

}  // namespace ebb::cli
