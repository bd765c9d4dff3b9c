// SPDX-License-Identifier: Apache-2.0
#include "fbfly/fbfly_designs.hpp"

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

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

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

}  // namespace

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

}  // namespace ebb::topology::fbfly
