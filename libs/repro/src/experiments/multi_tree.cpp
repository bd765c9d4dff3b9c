// SPDX-License-Identifier: Apache-2.0
#include "experiments/measure.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <string>

namespace ebb::repro {

// Six switches of 11 hosts, with 1 and 5 links wherever two switches are joined.
Result<Measurements> measure_multi_tree_distances(const power::Library&) {
  Measurements measured;
  for (const std::string family : {"tree", "complete"}) {
    for (const std::string parallel : {"1", "5"}) {
      const auto graph =
          topology::build(family, {{"switches", "6"}, {"hosts", "11"}, {"parallel", parallel}},
                          {gigabits_per_second(1)});
      if (!graph) return fail(graph.error());
      const auto between_switches = graph->link_count() - graph->host_count();
      measured.emplace_back(fmt::format("{}.links{}", family, parallel),
                            static_cast<double>(between_switches));
      if (parallel == "1")
        measured.emplace_back(family + ".distance", topology::distances(*graph).mean());
    }
  }
  return measured;
}

}  // namespace ebb::repro
