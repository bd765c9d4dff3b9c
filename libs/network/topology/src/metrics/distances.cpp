// SPDX-License-Identifier: Apache-2.0
#include "metrics/switch_graph.hpp"

#include "ebb/core/random.hpp"
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <numeric>

namespace ebb::topology {

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

Distances distances(const Graph& graph) {
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

}  // namespace ebb::topology
