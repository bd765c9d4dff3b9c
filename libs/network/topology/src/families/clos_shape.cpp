// SPDX-License-Identifier: Apache-2.0
#include "families/clos_shape.hpp"

#include "families.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ebb::topology::clos {
namespace {

struct Demand {
  std::int64_t ports = 0;
  std::int64_t down = 0;
  std::size_t levels = 0;

  [[nodiscard]] std::int64_t half() const { return ports / 2; }
  [[nodiscard]] std::int64_t most_leaves() const {
    std::int64_t leaves = ports;
    for (std::size_t l = 2; l < levels; ++l) leaves *= half();
    return leaves;
  }
};

Level joined(const Level& below, std::int64_t radix, std::int64_t switch_down,
             std::int64_t switch_up) {
  const auto block = [&](std::int64_t sub_blocks, std::int64_t uplinks) {
    const std::int64_t switches = ceil_div(uplinks, switch_down);
    return Block{sub_blocks, uplinks, switches, switches * switch_up};
  };
  Level level;
  level.blocks = ceil_div(below.blocks, radix);
  level.full = block(radix, radix * below.full.uplinks);
  const std::int64_t rest = below.blocks - (level.blocks - 1) * radix;
  level.last = block(rest, (rest - 1) * below.full.uplinks + below.last.uplinks);
  return level;
}

std::vector<Level> levels_for(const Demand& demand, std::int64_t leaves) {
  const Block leaf{0, 0, 1, demand.ports - demand.down};
  std::vector<Level> levels = {{leaves, leaf, leaf}};
  while (levels.size() + 1 < demand.levels)
    levels.push_back(joined(levels.back(), demand.half(), demand.half(), demand.half()));
  levels.push_back(joined(levels.back(), levels.back().blocks, demand.ports, 0));
  return levels;
}

// The first level whose last sub-block has too few uplinks for the switches above it. Full
// sub-blocks always have enough.
std::optional<std::size_t> starved_level(const std::vector<Level>& levels) {
  for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
    if (levels[l].last.uplinks < levels[l + 1].last.switches) return l;
  }
  return std::nullopt;
}

bool works(const Demand& demand, std::int64_t leaves) {
  return leaves > 0 && leaves <= demand.most_leaves() && !starved_level(levels_for(demand, leaves));
}

// Whole blocks always work; smaller ones are tried first because they are nearer.
std::vector<std::int64_t> workable_nearby(const Demand& demand, std::int64_t leaves) {
  std::int64_t fewer = 0;
  std::int64_t more = 0;
  std::int64_t unit = 1;
  for (std::size_t l = 2; l < demand.levels; ++l) {
    unit *= demand.half();
    if (fewer == 0 && works(demand, leaves / unit * unit)) fewer = leaves / unit * unit;
    if (more == 0 && works(demand, ceil_div(leaves, unit) * unit))
      more = ceil_div(leaves, unit) * unit;
  }
  std::vector<std::int64_t> hosts;
  if (fewer > 0) hosts.push_back(fewer * demand.down);
  if (more > 0) hosts.push_back(more * demand.down);
  return hosts;
}

Result<Demand> demand_of(const Parameters& parameters) {
  const std::int64_t ports = parameters.integer("ports");
  const std::int64_t given = parameters.integer("down");
  const Demand demand{ports, given == 0 ? ports / 2 : given,
                      static_cast<std::size_t>(parameters.integer("levels"))};
  if (ports % 2 != 0) {
    return fail(fmt::format("'ports' must be even, half down and half up, got {}", ports),
                {.path = "ports"});
  }
  if (demand.down >= ports) {
    return fail(
        fmt::format("'down' = {} leaves no uplink on a leaf of {} ports", demand.down, ports),
        {.path = "down"});
  }
  return demand;
}

Failure starved(const Demand& demand, const std::vector<Level>& levels, std::size_t l,
                std::int64_t hosts) {
  return fail(
      fmt::format("with {} hosts the last block of level {} has {} uplinks, but {} switches of "
                  "level {} must reach it; {} hosts would work",
                  hosts, l + 1, levels[l].last.uplinks, levels[l + 1].last.switches, l + 2,
                  fmt::join(workable_nearby(demand, levels.front().blocks), " or ")),
      {.path = "hosts"});
}

}  // namespace

std::int64_t Block::down_ports() const { return ceil_div(uplinks_below, switches); }

Result<Shape> shape_of(const Parameters& parameters) {
  const auto demand = demand_of(parameters);
  if (!demand) return fail(demand.error());
  const std::int64_t hosts = parameters.integer("hosts");
  const std::int64_t leaves = ceil_div(hosts, demand->down);
  if (leaves > demand->most_leaves()) {
    return fail(fmt::format("{} levels of {} ports hold at most {} hosts, not {}", demand->levels,
                            demand->ports, demand->most_leaves() * demand->down, hosts),
                {.path = "hosts"});
  }
  auto levels = levels_for(*demand, leaves);
  if (const auto l = starved_level(levels)) return starved(*demand, levels, *l, hosts);
  return Shape{hosts, demand->ports, demand->down, std::move(levels)};
}

}  // namespace ebb::topology::clos
