// SPDX-License-Identifier: Apache-2.0
#include "grid/grid_designs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ebb::topology::grid {
namespace {

// The smallest near-cube of `dimensions` sides with at least `switches` points.
std::vector<std::int64_t> near_cube(std::int64_t switches, int dimensions) {
  std::vector<std::int64_t> dims;
  for (int left = dimensions; left >= 1; --left) {
    std::int64_t side = 1;
    const auto reaches = [&](std::int64_t k) {
      std::int64_t product = 1;
      for (int i = 0; i < left && product < switches; ++i) product *= k;
      return product >= switches;
    };
    while (!reaches(side)) ++side;
    dims.push_back(std::max<std::int64_t>(2, side));
    switches = (switches + dims.back() - 1) / dims.back();
  }
  return dims;
}

std::optional<ParameterTexts> with_hosts(std::string_view family, const Demand& demand,
                                         std::int64_t hosts, int dimensions) {
  const auto dims = near_cube((demand.hosts + hosts - 1) / hosts, dimensions);
  const std::int64_t most_parallel = (demand.ports - hosts) / (std::int64_t{2} * dimensions);
  for (std::int64_t parallel = 1; parallel <= most_parallel; ++parallel) {
    ParameterTexts candidate{{"hosts", std::to_string(hosts)},
                             {"dims", fmt::format("{}", fmt::join(dims, "x"))},
                             {"parallel", std::to_string(parallel)}};
    const auto known = topology::figures(family, candidate);
    if (!known || known->switch_ports > demand.ports) return std::nullopt;
    if (known->oversubscription <= demand.oversubscription.to_double()) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::vector<ParameterTexts> designs(std::string_view family, const Demand& demand) {
  constexpr int kMostDimensions = 6;
  constexpr std::size_t kMostDesigns = 2;
  std::vector<std::pair<std::int64_t, ParameterTexts>> found;  // switches, shape
  for (int dimensions = 2; dimensions <= kMostDimensions; ++dimensions) {
    for (std::int64_t hosts = demand.ports - 1; hosts >= 1; --hosts) {
      auto candidate = with_hosts(family, demand, hosts, dimensions);
      if (!candidate) continue;
      found.emplace_back(topology::figures(family, *candidate)->switches, std::move(*candidate));
      break;
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<ParameterTexts> best;
  for (auto& [switches, shape] : found) {
    if (best.size() < kMostDesigns) best.push_back(std::move(shape));
  }
  return best;
}

}  // namespace ebb::topology::grid
