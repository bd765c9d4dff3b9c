// SPDX-License-Identifier: Apache-2.0
#include "metrics/switch_graph.hpp"

#include "ebb/core/check.hpp"
#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <utility>

#if EBB_HAVE_METIS
#include <metis.h>
#endif

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

#if EBB_HAVE_METIS
#include <metis.h>
#endif

namespace ebb::topology {
namespace {

std::vector<std::uint32_t> in_blocks(std::uint32_t switches, std::uint32_t parts) {
  std::vector<std::uint32_t> part(switches);
  for (std::uint64_t s = 0; s < switches; ++s)
    part[s] = static_cast<std::uint32_t>(s * parts / switches);
  return part;
}

bool all_used(const std::vector<std::uint32_t>& part, std::uint32_t parts) {
  std::vector<bool> used(parts, false);
  for (const std::uint32_t p : part) used[p] = true;
  return std::all_of(used.begin(), used.end(), [](bool u) { return u; });
}

#if EBB_HAVE_METIS
// The switches as METIS wants them: neighbours with the weight of all links that lead there.
struct Weighted {
  Weighted(const Graph& graph, std::span<const std::uint32_t> weights) {
    std::vector<std::pair<idx_t, idx_t>> row;
    first.push_back(0);
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      const auto outputs = graph.outputs(graph.switch_node(s));
      work.push_back(static_cast<idx_t>(outputs.size()));
      row.clear();
      for (const ChannelId channel : outputs) {
        const NodeId other = graph.target(channel);
        if (graph.is_host(other)) continue;
        row.emplace_back(static_cast<idx_t>(index(other)),
                         static_cast<idx_t>(weights[index(link_of(channel))]));
      }
      std::sort(row.begin(), row.end());
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0 && row[i].first == row[i - 1].first) {
          weight.back() += row[i].second;
        } else {
          neighbours.push_back(row[i].first);
          weight.push_back(row[i].second);
        }
      }
      first.push_back(static_cast<idx_t>(neighbours.size()));
    }
  }

  std::vector<idx_t> first;
  std::vector<idx_t> neighbours;
  std::vector<idx_t> weight;
  std::vector<idx_t> work;  // what a switch costs: its ports
};

std::vector<std::uint32_t> by_metis(const Graph& graph, std::uint32_t parts,
                                    std::span<const std::uint32_t> weights) {
  Weighted switches(graph, weights);
  auto vertices = static_cast<idx_t>(graph.switch_count());
  auto wanted = static_cast<idx_t>(parts);
  idx_t constraints = 1;
  idx_t cut = 0;
  std::vector<idx_t> part(graph.switch_count(), 0);
  std::vector<idx_t> options(METIS_NOPTIONS, 0);
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  METIS_PartGraphKway(&vertices, &constraints, switches.first.data(), switches.neighbours.data(),
                      switches.work.data(), nullptr, switches.weight.data(), &wanted, nullptr,
                      nullptr, options.data(), &cut, part.data());
  return {part.begin(), part.end()};
}
#endif

}  // namespace

std::vector<std::uint32_t> divide(const Graph& graph, std::uint32_t parts,
                                  [[maybe_unused]] std::span<const std::uint32_t> weights) {
  EBB_CHECK(parts >= 1 && parts <= graph.switch_count(), "between one part and one per switch");
#if EBB_HAVE_METIS
  if (parts > 1 && parts < graph.switch_count()) {
    auto part = by_metis(graph, parts, weights);
    if (all_used(part, parts)) return part;
  }
#endif
  return in_blocks(graph.switch_count(), parts);
}

}  // namespace ebb::topology
