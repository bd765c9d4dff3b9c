// SPDX-License-Identifier: Apache-2.0
#include "beside_published.hpp"

#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <string>

namespace ebb::repro {
namespace {

// Six switches of 11 hosts, with 1 and 5 links wherever two switches are joined.
Result<Measurements> measure_distances(Lab&) {
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

std::vector<plots::Figure> draw_table_2(const Row& row, const Measurements& measured) {
  return {beside_published({.name = "table-2-distance",
                            .title = "Table 2: average distance of hosts",
                            .y = {"distance", "switches"}},
                           row, measured,
                           {{"tree", "tree.distance"}, {"complete", "complete.distance"}}),
          beside_published({.name = "table-2-links",
                            .title = "Table 2: links between six switches",
                            .y = {"links", ""}},
                           row, measured,
                           {{"tree, 1 link", "tree.links1"},
                            {"tree, 5 links", "tree.links5"},
                            {"complete, 1 link", "complete.links1"},
                            {"complete, 5 links", "complete.links5"}})};
}

}  // namespace

std::vector<Experiment> experiments_in_multi_tree() {
  return {{.id = "D2", .measure = measure_distances, .draw = draw_table_2}};
}

}  // namespace ebb::repro
