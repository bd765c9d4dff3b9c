// SPDX-License-Identifier: Apache-2.0
//
// What is measured on the switches of a graph without its hosts: distances, bisection, division
// among processors. SwitchGraph lays the switches out for searches: neighbours are switch numbers,
// parallel links are one entry with a weight.

#include "ebb/core/check.hpp"
#include "ebb/core/random.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#if EBB_HAVE_METIS
#include <metis.h>
#endif

namespace ebb::topology {

struct SwitchGraph {
  explicit SwitchGraph(const Graph& graph);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(hosts.size()); }
  [[nodiscard]] std::span<const std::uint32_t> neighbours_of(std::uint32_t s) const {
    return std::span(neighbours).subspan(first[s], first[s + 1] - first[s]);
  }

  std::vector<std::uint32_t> first;  // switch -> index into neighbours, and one past the end
  std::vector<std::uint32_t> neighbours;
  std::vector<std::uint32_t> links;  // parallel to neighbours: links that lead there
  std::vector<std::uint32_t> hosts;  // hosts whose first link ends at the switch
};

SwitchGraph::SwitchGraph(const Graph& graph) : hosts(graph.switch_count(), 0) {
  std::vector<std::uint32_t> row;
  first.push_back(0);
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    row.clear();
    for (const ChannelId channel : graph.outputs(graph.switch_node(s))) {
      const NodeId other = graph.target(channel);
      if (!graph.is_host(other)) row.push_back(index(other));
    }
    std::sort(row.begin(), row.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i] == row[i - 1]) {
        ++links.back();
      } else {
        neighbours.push_back(row[i]);
        links.push_back(1);
      }
    }
    first.push_back(static_cast<std::uint32_t>(neighbours.size()));
  }
  for (std::uint32_t h = 0; h < graph.host_count(); ++h) {
    const auto ports = graph.outputs(graph.host_node(h));
    if (ports.empty()) continue;
    const NodeId access = graph.target(ports.front());
    if (!graph.is_host(access)) ++hosts[index(access)];
  }
}

namespace {

// Breadth-first searches that add up to Distances, level by level.
class Search {
 public:
  explicit Search(const SwitchGraph& graph)
      : graph_(graph),
        all_hosts_(std::accumulate(graph.hosts.begin(), graph.hosts.end(), std::uint64_t{0})),
        seen_in_(graph.size(), 0) {}

  // `source` stands for `count` switches.
  void run(std::uint32_t source, std::uint64_t count) {
    const std::uint64_t senders = count * graph_.hosts[source];
    if (senders == 0) return;
    ++runs_;
    queue_.assign(1, source);
    seen_in_[source] = runs_;
    std::uint64_t reached = 0;
    std::uint32_t level = 0;
    for (std::size_t begin = 0; begin < queue_.size(); ++level) {
      const std::size_t end = queue_.size();
      const std::uint64_t receivers = visit(begin, end);
      begin = end;
      reached += receivers;
      found_.switch_sum += Int128{senders} * receivers * (level + 1);
      if (receivers > 0) found_.diameter = std::max(found_.diameter, level);
    }
    found_.pairs += senders * reached;
    found_.unreachable_pairs += senders * (all_hosts_ - reached);
    found_.selves += senders;
  }

  [[nodiscard]] Distances result(bool exact) const {
    Distances result = found_;
    result.exact = exact;
    result.sources = runs_;
    return result;
  }

 private:
  // Counts the hosts of one level and appends the next.
  std::uint64_t visit(std::size_t begin, std::size_t end) {
    std::uint64_t receivers = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t s = queue_[i];
      receivers += graph_.hosts[s];
      for (const std::uint32_t next : graph_.neighbours_of(s)) {
        if (seen_in_[next] == runs_) continue;
        seen_in_[next] = runs_;
        queue_.push_back(next);
      }
    }
    return receivers;
  }

  const SwitchGraph& graph_;
  std::uint64_t all_hosts_ = 0;
  std::vector<std::uint32_t> seen_in_;  // number of the run that saw the switch last
  std::vector<std::uint32_t> queue_;
  std::uint32_t runs_ = 0;
  Distances found_;
};

// The orbits of the family that made the graph, if they account for all of its hosts: a file can
// name a family and still hold something else.
std::vector<Orbit> known_orbits(const Graph& graph, const SwitchGraph& switches) {
  const auto family = find_family(graph.origin().family);
  if (!family || (*family)->orbits == nullptr) return {};
  const auto known = properties(graph.origin().family, graph.origin().parameters);
  if (!known || known->switches != graph.switch_count() || known->links != graph.link_count())
    return {};
  const auto parameters =
      Parameters::resolve((*family)->parameters, graph.origin().parameters).value();
  auto orbits = (*family)->orbits(parameters);
  std::uint64_t hosts = 0;
  for (const Orbit& orbit : orbits) hosts += orbit.count * switches.hosts[orbit.representative];
  return hosts == graph.host_count() ? orbits : std::vector<Orbit>{};
}

std::vector<std::uint32_t> access_switches(const SwitchGraph& switches) {
  std::vector<std::uint32_t> access;
  for (std::uint32_t s = 0; s < switches.size(); ++s) {
    if (switches.hosts[s] > 0) access.push_back(s);
  }
  return access;
}

// The first n of a random order.
void draw(std::vector<std::uint32_t>& switches, std::size_t n) {
  RandomStream random(1, "topology/distances");
  for (std::size_t i = 0; i < n; ++i)
    std::swap(switches[i], switches[i + random.below(switches.size() - i)]);
  switches.resize(n);
}

}  // namespace

double Distances::mean() const {
  return pairs == 0 ? 0 : static_cast<double>(switch_sum) / static_cast<double>(pairs);
}

double Distances::mean_to_others() const {
  if (pairs == selves) return 0;
  return static_cast<double>(switch_sum - selves) / static_cast<double>(pairs - selves);
}

// A host reaches the others in any plane, as far in each.
Distances distances(const Graph& graph) {
  if (graph.planes() > 1) return distances(one_plane(graph));
  const SwitchGraph switches(graph);
  Search search(switches);
  const auto orbits = known_orbits(graph, switches);
  if (!orbits.empty()) {
    for (const Orbit& orbit : orbits) search.run(orbit.representative, orbit.count);
    return search.result(true);
  }
  auto sources = access_switches(switches);
  const bool exact = sources.size() * std::uint64_t{graph.channel_count()} <= kDistanceBudget ||
                     sources.size() <= kDistanceSamples;
  if (!exact) draw(sources, kDistanceSamples);
  for (const std::uint32_t source : sources) search.run(source, 1);
  return search.result(exact);
}

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
  if (graph.planes() > 1) return std::nullopt;
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

namespace {

std::vector<std::uint32_t> in_blocks(std::uint32_t switches, std::uint32_t parts) {
  std::vector<std::uint32_t> part(switches);
  for (std::uint64_t s = 0; s < switches; ++s)
    part[s] = static_cast<std::uint32_t>(s * parts / switches);
  return part;
}

#if EBB_HAVE_METIS
bool all_used(const std::vector<std::uint32_t>& part, std::uint32_t parts) {
  std::vector<bool> used(parts, false);
  for (const std::uint32_t p : part) used[p] = true;
  return std::all_of(used.begin(), used.end(), [](bool u) { return u; });
}

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
