// SPDX-License-Identifier: Apache-2.0
//
// Irregular: a random connected graph in which every switch has `degree` links to others. When
// switches x degree is odd, one switch has one less. No switch is joined to itself, and parallel
// links appear only when there are fewer than `degree` other switches; every pair then has the same
// number of links, give or take one.
//
// The same seed gives the same graph on every machine. Hosts c*s .. c*s+c-1 are those of switch s.
//
// The graph starts as a circulant, which has the right degrees, and is stirred by exchanging the
// ends of random pairs of edges, which keeps them. Stirring can tear the graph apart; it is then
// sewn together by exchanges between components, which keep the degrees too.

#include "families.hpp"

#include "ebb/core/check.hpp"
#include "ebb/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ebb::topology::irregular {
namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

std::uint64_t key(Edge edge) {
  const auto [low, high] = std::minmax(edge.first, edge.second);
  return (std::uint64_t{low} << 32U) | high;
}

// The component of each vertex, joined edge by edge.
class UnionFind {
 public:
  explicit UnionFind(std::uint32_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  std::uint32_t find(std::uint32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }

  // False when the two were joined already: the edge closes a cycle.
  bool join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// Every vertex has `degree` < n edges; if n*degree is odd, one vertex has one less.
std::vector<Edge> circulant(std::uint32_t n, std::uint32_t degree) {
  EBB_CHECK(degree < n, "a simple graph has degrees below its size");
  std::vector<Edge> edges;
  for (std::uint32_t v = 0; v < n; ++v) {
    for (std::uint32_t d = 1; d <= degree / 2; ++d) edges.emplace_back(v, (v + d) % n);
  }
  if (degree % 2 == 0) return edges;
  // One more edge each. Steps of floor(n/2) pair all vertices when n is even. When n is odd they
  // visit all in one round, of which every second step is taken; the last vertex gets none.
  const std::uint32_t step = n / 2;
  if (n % 2 == 0) {
    for (std::uint32_t v = 0; v < step; ++v) edges.emplace_back(v, v + step);
  } else {
    for (std::uint64_t i = 0; i + 1 < n; i += 2) {
      edges.emplace_back(static_cast<std::uint32_t>(i * step % n),
                         static_cast<std::uint32_t>((i + 1) * step % n));
    }
  }
  return edges;
}

// Ten exchanges are tried per edge; none makes a loop or a parallel edge.
void shuffle(std::vector<Edge>& edges, RandomStream& random) {
  std::unordered_set<std::uint64_t> present;
  present.reserve(edges.size());
  for (const Edge& edge : edges) present.insert(key(edge));
  for (std::size_t attempt = 0; attempt < 10 * edges.size(); ++attempt) {
    Edge& one = edges[random.below(edges.size())];
    Edge& two = edges[random.below(edges.size())];
    if (random.below(2) == 1) std::swap(two.first, two.second);
    const Edge first{one.first, two.first};
    const Edge second{one.second, two.second};
    if (first.first == first.second || second.first == second.second) continue;
    if (present.contains(key(first)) || present.contains(key(second))) continue;
    present.erase(key(one));
    present.erase(key(two));
    present.insert(key(first));
    present.insert(key(second));
    one = first;
    two = second;
  }
}

// Makes the graph connected. Every component must contain a cycle, which all degrees of 2 or more
// ensure. Taking one cycle edge out of each of two components leaves both connected; putting in two
// edges between them makes one component, and both new edges lie on a cycle of it.
void sew(std::vector<Edge>& edges, std::uint32_t n) {
  UnionFind components(n);
  std::vector<std::optional<std::size_t>> cycle_edge(n);
  std::vector<std::size_t> closing;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (!components.join(edges[e].first, edges[e].second)) closing.push_back(e);
  }
  for (const std::size_t e : closing) cycle_edge[components.find(edges[e].first)] = e;
  std::optional<std::size_t> sewn;
  for (std::uint32_t v = 0; v < n; ++v) {
    if (components.find(v) != v) continue;
    EBB_CHECK(cycle_edge[v].has_value(), "a component without a cycle");
    if (!sewn) {
      sewn = cycle_edge[v];
      continue;
    }
    Edge& one = edges[*sewn];
    Edge& two = edges[*cycle_edge[v]];
    std::swap(one.second, two.first);
  }
}

// Mean links from a switch to all n, itself included, if every new link led to a new switch: no
// graph of this degree is closer (the Moore bound).
double least_mean_distance(std::int64_t n, std::int64_t degree) {
  double total = 0;
  std::int64_t left = n - 1;
  std::int64_t ring = degree;
  for (int hops = 1; left > 0; ++hops) {
    const std::int64_t reached = std::min(left, ring);
    total += static_cast<double>(reached) * hops;
    left -= reached;
    ring = product({ring, std::max<std::int64_t>(degree - 1, 1)});
  }
  return total / static_cast<double>(n);
}

Result<Properties> properties(const Parameters& parameters) {
  const std::int64_t n = parameters.integer("switches");
  const std::int64_t c = parameters.integer("hosts");
  const std::int64_t degree = parameters.integer("degree");
  if (degree < 2 && n > 2) {
    return fail(
        fmt::format("{} switches of degree 1 cannot be connected; give 'degree' 2 or more", n),
        {.path = "degree"});
  }
  Properties known;
  known.switches = n;
  known.hosts = product({n, c});
  known.links = sum({known.hosts, product({n, degree}) / 2});
  known.switch_ports = c + degree;
  known.diameter = degree >= n - 1 ? 1 : 0;
  known.bisection_rule = "no closed form";
  // A bound: what no graph of this degree can beat.
  known.oversubscription =
      static_cast<double>(c) * least_mean_distance(n, degree) / static_cast<double>(degree);
  known.access_switches_per_group = n;
  known.hosts_per_access_switch = c;
  return known;
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const auto n = static_cast<std::uint32_t>(parameters.integer("switches"));
  const auto c = static_cast<std::uint32_t>(parameters.integer("hosts"));
  const auto degree = static_cast<std::uint32_t>(parameters.integer("degree"));
  RandomStream random(static_cast<std::uint64_t>(parameters.integer("seed")), "topology/irregular");
  GraphBuilder builder(n, n * c, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(properties(parameters)->links));
  attach_hosts(builder, n * c, c);
  // Whole rounds of all pairs, then a simple graph for the rest of the degree.
  const std::uint32_t rounds = degree / (n - 1);
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t s = 0; s < n; ++s) {
      for (std::uint32_t t = s + 1; t < n; ++t)
        builder.connect(builder.switch_node(s), builder.switch_node(t));
    }
  }
  auto edges = circulant(n, degree % (n - 1));
  shuffle(edges, random);
  if (rounds == 0) sew(edges, n);
  for (const auto& [s, t] : edges) builder.connect(builder.switch_node(s), builder.switch_node(t));
  return std::move(builder).build({"irregular", parameters.texts()});
}

}  // namespace

Family family() {
  return {
      .name = "irregular",
      .summary = "random connected graph of equal degrees",
      .parameters = {{"switches", Range<std::int64_t>{2, 16'000'000}, std::nullopt,
                      "number of switches"},
                     {"degree", Range<std::int64_t>{1, 100'000}, std::nullopt,
                      "links of a switch to other switches"},
                     {"hosts", Range<std::int64_t>{1, 100'000}, std::nullopt, "hosts per switch"},
                     {"seed", Range<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}, "1",
                      "of the random choices"}},
      .properties = properties,
      .build = build};
}

}  // namespace ebb::topology::irregular
