// SPDX-License-Identifier: Apache-2.0
#include "metrics/switch_graph.hpp"

#include "ebb/topology/metrics.hpp"

#if EBB_HAVE_METIS
#include <metis.h>
#endif

#include <algorithm>

namespace ebb::topology {

#if EBB_HAVE_METIS
namespace {

// METIS takes signed indices and wants to be allowed to write to its inputs.
std::vector<idx_t> copied(const std::vector<std::uint32_t>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<idx_t> sides(const SwitchGraph& graph) {
  auto first = copied(graph.first);
  auto neighbours = copied(graph.neighbours);
  auto links = copied(graph.links);
  auto hosts = copied(graph.hosts);
  auto vertices = static_cast<idx_t>(graph.size());
  idx_t weights = 1;
  idx_t parts = 2;
  idx_t cut = 0;
  std::vector<idx_t> side(graph.size(), 0);
  std::vector<idx_t> options(METIS_NOPTIONS, 0);
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NCUTS] = 4;    // the best of four attempts
  options[METIS_OPTION_UFACTOR] = 1;  // halves may differ by one in a thousand
  METIS_PartGraphRecursive(&vertices, &weights, first.data(), neighbours.data(), hosts.data(),
                           nullptr, links.data(), &parts, nullptr, nullptr, options.data(), &cut,
                           side.data());
  return side;
}

}  // namespace

std::optional<BisectionEstimate> estimate_bisection(const Graph& graph) {
  const SwitchGraph switches(graph);
  BisectionEstimate estimate;
  std::vector<idx_t> side(switches.size(), 0);
  if (!switches.neighbours.empty()) side = sides(switches);
  for (std::uint32_t s = 0; s < switches.size(); ++s) {
    (side[s] == 0 ? estimate.hosts_on_one_side : estimate.hosts_on_the_other) += switches.hosts[s];
    for (std::uint32_t i = switches.first[s]; i < switches.first[s + 1]; ++i) {
      const std::uint32_t other = switches.neighbours[i];
      if (s < other && side[s] != side[other]) estimate.links += switches.links[i];
    }
  }
  return estimate;
}
#else
std::optional<BisectionEstimate> estimate_bisection(const Graph& /*graph*/) { return std::nullopt; }
#endif

}  // namespace ebb::topology
