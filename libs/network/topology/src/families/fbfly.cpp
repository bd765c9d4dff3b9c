// SPDX-License-Identifier: Apache-2.0
//
// Flattened butterfly / HyperX: switches on a grid, fully connected along each dimension.
//
// Switch s has coordinates (x_1, ..., x_n), x_1 varying fastest; hosts s*c .. s*c+c-1 are its own.
// Ports of a switch: its hosts first, then dimension by dimension the other coordinates ascending,
// each `parallel` times. The k-ary n-flat of "Energy Proportional Datacenter Networks" has n-1
// dimensions of radix k: the 8-ary 5-flat is hosts=8 dims=8x8x8x8.

#include "families.hpp"
#include "families/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace ebb::topology::fbfly {
namespace {

constexpr int kMostDimensions = 5;

struct Candidate {
  std::int64_t hosts_per_switch = 0;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> parallel;
  std::int64_t switches = std::numeric_limits<std::int64_t>::max();
  std::int64_t ports = 0;
};

// Fewest switches, then fewest ports, then the most even radices.
bool better(const Candidate& a, const Candidate& b) {
  if (a.switches != b.switches) return a.switches < b.switches;
  if (a.ports != b.ports) return a.ports < b.ports;
  return a.dims.front() < b.dims.front();
}

// Tries every non-increasing list of radices whose ports fit; the last radix is the smallest that
// reaches the hosts. `best` prunes: with c hosts per switch at least hosts/c switches are needed.
class Search {
 public:
  Search(const Demand& demand, int dimensions) : demand_(demand), dimensions_(dimensions) {}

  Candidate run() {
    for (std::int64_t c = demand_.ports - 1; c >= 1; --c) {
      needed_ = ceil_div(demand_.hosts, c);
      if (needed_ > best_.switches) break;
      current_ = {};
      current_.hosts_per_switch = c;
      current_.ports = c;
      extend(1, demand_.ports);
    }
    return best_;
  }

 private:
  // Links between two switches so that uniform traffic of c hosts fits: m >= c / (k *
  // oversubscription).
  [[nodiscard]] std::int64_t parallel_links(std::int64_t k) const {
    const Ratio& o = demand_.oversubscription;
    return std::max<std::int64_t>(1, ceil_div(current_.hosts_per_switch * o.den(), k * o.num()));
  }

  bool push(std::int64_t k) {
    const std::int64_t m = parallel_links(k);
    if (current_.ports + (k - 1) * m > demand_.ports) return false;
    current_.dims.push_back(k);
    current_.parallel.push_back(m);
    current_.ports += (k - 1) * m;
    return true;
  }

  void pop() {
    current_.ports -= (current_.dims.back() - 1) * current_.parallel.back();
    current_.dims.pop_back();
    current_.parallel.pop_back();
  }

  void extend(std::int64_t product, std::int64_t largest) {
    const std::size_t left = static_cast<std::size_t>(dimensions_) - current_.dims.size();
    if (left == 1) return finish(product, largest);
    for (std::int64_t k = largest; k >= 2; --k) {
      if (product * k > best_.switches) continue;
      if (!push(k)) continue;
      extend(product * k, k);
      pop();
    }
  }

  void finish(std::int64_t product, std::int64_t largest) {
    const std::int64_t k = std::max<std::int64_t>(2, ceil_div(needed_, product));
    if (k > largest || !push(k)) return;
    current_.switches = product * k;
    if (better(current_, best_)) best_ = current_;
    pop();
  }

  Demand demand_;
  int dimensions_;
  std::int64_t needed_ = 0;
  Candidate current_;
  Candidate best_;
};

// "1" says the same as "1x1x1x1" and reads better.
std::string parallel_text(const std::vector<std::int64_t>& parallel) {
  const bool even =
      std::adjacent_find(parallel.begin(), parallel.end(), std::not_equal_to<>()) == parallel.end();
  return even ? std::to_string(parallel.front()) : fmt::format("{}", fmt::join(parallel, "x"));
}

// The flattened butterflies with the fewest switches for a demand, one per number of dimensions.
std::vector<ParameterTexts> designs(const Demand& demand) {
  std::vector<ParameterTexts> found;
  for (int dimensions = 1; dimensions <= kMostDimensions; ++dimensions) {
    const Candidate best = Search(demand, dimensions).run();
    if (best.dims.empty()) continue;
    found.push_back({{"hosts", std::to_string(best.hosts_per_switch)},
                     {"dims", fmt::format("{}", fmt::join(best.dims, "x"))},
                     {"parallel", parallel_text(best.parallel)}});
  }
  return found;
}

// Halving a line cuts floor(k/2)*ceil(k/2) pairs; uniform traffic sends 1/k of what a switch
// injects straight to each coordinate.
grid::Line line(std::int64_t k) {
  return {.pairs = k * (k - 1) / 2,
          .neighbours = k - 1,
          .diameter = 1,
          .cut = (k / 2) * (k - k / 2),
          .load = 1.0 / static_cast<double>(k)};
}

void above(std::uint32_t x, std::uint32_t k, std::vector<std::uint32_t>& coordinates) {
  for (std::uint32_t y = x + 1; y < k; ++y) coordinates.push_back(y);
}

constexpr grid::Rule kRule = {line, above};

Result<Properties> properties(const Parameters& parameters) {
  return grid::properties(parameters, kRule);
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  return grid::build("fbfly", parameters, std::move(rate_table), kRule);
}

// Every switch can be moved onto every other by shifting coordinates.
std::vector<Orbit> orbits(const Parameters& parameters) {
  return {{0, static_cast<std::uint64_t>(grid::read(parameters)->switches())}};
}

}  // namespace

Family family() {
  return {.name = "fbfly",
          .aliases = {{"hyperx"}, {"flattened-butterfly"}},
          .summary = "flattened butterfly / HyperX: all-to-all along every dimension",
          .parameters = grid::parameters(),
          .properties = properties,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::fbfly
