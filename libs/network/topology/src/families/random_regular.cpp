// SPDX-License-Identifier: Apache-2.0
#include "families/random_regular.hpp"

#include "ebb/core/check.hpp"

#include <absl/container/flat_hash_set.h>
#include <algorithm>
#include <numeric>
#include <optional>

namespace ebb::topology::random_regular {
namespace {

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
  absl::flat_hash_set<std::uint64_t> present;
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

}  // namespace

std::vector<Edge> simple_graph(std::uint32_t n, std::uint32_t degree, RandomStream& random) {
  auto edges = circulant(n, degree);
  shuffle(edges, random);
  return edges;
}

std::vector<Edge> connected_graph(std::uint32_t n, std::uint32_t degree, RandomStream& random) {
  auto edges = simple_graph(n, degree, random);
  sew(edges, n);
  return edges;
}

}  // namespace ebb::topology::random_regular
