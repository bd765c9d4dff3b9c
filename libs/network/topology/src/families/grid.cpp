// SPDX-License-Identifier: Apache-2.0
#include "families/grid.hpp"

#include "families.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ebb::topology::grid {

std::int64_t Grid::switches() const {
  std::int64_t count = 1;
  for (const std::int64_t k : dims) count = product({count, k});
  return count;
}

std::vector<Parameter> parameters() {
  return {
      {"hosts", Range<std::int64_t>{1, 100'000}, std::nullopt, "hosts per switch"},
      {"dims", WholeList{1, 100'000}, std::nullopt, "switches along each dimension, as 8x8x8x8"},
      {"parallel", WholeList{1, 1'000}, "1",
       "links between two switches, one for all or one per dimension"}};
}

Result<Grid> read(const Parameters& parameters) {
  Grid grid{parameters.integer("hosts"), parameters.list("dims"), parameters.list("parallel")};
  if (grid.parallel.size() == 1) grid.parallel.resize(grid.dims.size(), grid.parallel.front());
  if (grid.parallel.size() != grid.dims.size()) {
    return fail(
        fmt::format("'parallel' has {} entries for {} dimensions; give one, or one per dimension",
                    grid.parallel.size(), grid.dims.size()),
        {.path = "parallel"});
  }
  return grid;
}

Result<Properties> properties(const Parameters& parameters, const Rule& rule) {
  const auto grid = read(parameters);
  if (!grid) return fail(grid.error());
  const std::int64_t c = grid->hosts_per_switch;
  Properties known;
  known.switches = grid->switches();
  known.hosts = product({known.switches, c});
  known.switch_ports = c;
  known.links = known.hosts;
  known.bisection_rule = "smallest cut that halves one dimension (floor(k/2) for an odd k)";
  known.hosts_per_access_switch = c;
  known.access_switches_per_group = grid->dims.front();
  known.groups = known.switches / grid->dims.front();
  for (std::size_t d = 0; d < grid->dims.size(); ++d) {
    const std::int64_t k = grid->dims[d];
    const std::int64_t m = grid->parallel[d];
    if (k < 2) continue;
    const Line line = rule.line(k);
    const std::int64_t lines = known.switches / k;
    known.switch_ports += line.neighbours * m;
    known.links = sum({known.links, product({line.pairs, m, lines})});
    known.diameter += line.diameter;
    const std::int64_t cut = product({line.cut, m, lines});
    known.bisection_links = known.bisection_links == 0 ? cut : std::min(known.bisection_links, cut);
    known.oversubscription = std::max(known.oversubscription,
                                      line.load * static_cast<double>(c) / static_cast<double>(m));
  }
  return known;
}

Graph build(std::string family, const Parameters& parameters, RateTable rate_table,
            const Rule& rule) {
  const Grid grid = read(parameters).value();
  const auto switches = static_cast<std::uint32_t>(grid.switches());
  const auto c = static_cast<std::uint32_t>(grid.hosts_per_switch);
  GraphBuilder builder(switches, switches * c, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(properties(parameters, rule)->links));
  attach_hosts(builder, switches * c, c);
  std::vector<std::uint32_t> coordinates;
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < grid.dims.size(); ++d) {
    const auto k = static_cast<std::uint32_t>(grid.dims[d]);
    for (std::uint32_t s = 0; s < switches; ++s) {
      const std::uint32_t x = s / stride % k;
      coordinates.clear();
      rule.above(x, k, coordinates);
      for (const std::uint32_t y : coordinates) {
        const NodeId other = builder.switch_node(s + (y - x) * stride);
        for (std::int64_t m = 0; m < grid.parallel[d]; ++m)
          builder.connect(builder.switch_node(s), other);
      }
    }
    stride *= k;
  }
  return std::move(builder).build({std::move(family), parameters.texts()});
}

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
    const auto known = topology::properties(family, candidate);
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
      found.emplace_back(topology::properties(family, *candidate)->switches, std::move(*candidate));
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
