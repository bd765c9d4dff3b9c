// SPDX-License-Identifier: Apache-2.0
//
// Folded Clos (fat tree) of 2 to 4 levels from switches of P ports, for an exact number of hosts.
//
// Blocks. A block of level 1 is one leaf: D host ports (`down`, half of P by default) and
// U = P - D uplinks. A block of level l between the first and the last joins up to h = P/2 blocks
// of level l-1 with ceil(their uplinks / h) switches of h down and h up ports. The last level joins
// all blocks below it with ceil(their uplinks / P) switches, all of whose ports go down. Only the
// last block of a level can be partial, and only the last leaf can have fewer than D hosts.
//
// Cabling. One rule everywhere: uplink u of a sub-block goes to switch (o + u) mod n of its block,
// where o is the number of uplinks of the sub-blocks before it. So every switch of a block carries
// the same load, give or take one port, and reaches every sub-block that has at least n uplinks. A
// shape with a partial sub-block that has fewer is refused: some switches could not reach it.
// Two leaves whose smallest common block is of level l are therefore 2(l-1) links apart.
//
// Numbering. Leaves first, then level 2, and so on; block after block within a level. Uplinks of a
// block are numbered switch by switch. Hosts D*s .. D*s+D-1 are those of leaf s. Ports of a switch:
// hosts or down links first, then up links.
//
// "On the Use of Commodity Ethernet Technology in Exascale HPC Systems": ports=72 levels=4
// hosts=303264 is 6.5 groups of level 3.

#include "families.hpp"
#include "families/clos_shape.hpp"

#include <algorithm>
#include <string>

namespace ebb::topology::clos {
namespace {

// Host ports of a leaf: D / (P - D) <= oversubscription.
std::int64_t host_ports(const Demand& demand) {
  const Ratio& o = demand.oversubscription;
  return demand.ports * o.num() / (o.num() + o.den());
}

ParameterTexts shape(const Demand& demand, int levels, std::int64_t hosts) {
  return {{"levels", std::to_string(levels)},
          {"ports", std::to_string(demand.ports)},
          {"hosts", std::to_string(hosts)},
          {"down", std::to_string(host_ports(demand))}};
}

// Folded Closes for a demand, one per number of levels that can hold it.
// Partly filled blocks may not reach every switch above them; then the hosts are rounded up to
// whole leaves, halves of blocks and whole blocks, whichever works first.
std::vector<ParameterTexts> designs(const Demand& demand) {
  std::vector<ParameterTexts> found;
  const std::int64_t leaf = host_ports(demand);
  if (demand.ports < 2 || demand.ports % 2 != 0 || leaf < 1) return found;
  const std::int64_t half = demand.ports / 2;
  for (int levels = 2; levels <= 4; ++levels) {
    std::int64_t block = leaf;
    std::vector<std::int64_t> steps{1, leaf};
    for (int level = 2; level < levels; ++level) {
      block *= half;
      steps.push_back(block / 2);
      steps.push_back(block);
    }
    for (const std::int64_t step : steps) {
      if (step < 1) continue;
      auto candidate = shape(demand, levels, (demand.hosts + step - 1) / step * step);
      if (!topology::properties("clos", candidate)) continue;
      found.push_back(std::move(candidate));
      break;
    }
  }
  return found;
}

// Leaves under one block of a level; the top block holds all there are.
std::int64_t leaves_below(const Shape& shape, std::size_t level) {
  if (level + 1 == shape.levels.size()) return shape.leaves();
  std::int64_t leaves = 1;
  for (std::size_t l = 0; l < level; ++l) leaves *= shape.half();
  return leaves;
}

// Up to the smallest block that holds all leaves, and down again.
std::int64_t diameter(const Shape& shape) {
  std::size_t level = 0;
  while (leaves_below(shape, level) < shape.leaves()) ++level;
  return 2 * static_cast<std::int64_t>(level);
}

std::int64_t busiest_switch(const Shape& shape) {
  std::int64_t ports = std::min(shape.hosts, shape.down) + shape.up();
  for (std::size_t l = 1; l < shape.levels.size(); ++l) {
    const Level& level = shape.levels[l];
    const std::int64_t up = l + 1 < shape.levels.size() ? shape.half() : 0;
    ports = std::max(ports, level.last.down_ports() + up);
    if (level.blocks > 1) ports = std::max(ports, level.full.down_ports() + up);
  }
  return ports;
}

Result<Properties> properties(const Parameters& parameters) {
  const auto shape = shape_of(parameters);
  if (!shape) return fail(shape.error());
  return properties_of(*shape);
}

// Joins sub-block s of block b to the n switches of the block, which start at `above`; the
// sub-block's switches start at `below` and have `ups` uplinks each.
struct Joint {
  std::int64_t below = 0;
  std::int64_t above = 0;
  std::int64_t uplinks = 0;
  std::int64_t ups = 0;
  std::int64_t offset = 0;
  std::int64_t n = 0;
};

void wire(GraphBuilder& builder, const Joint& joint) {
  for (std::int64_t u = 0; u < joint.uplinks; ++u) {
    const std::int64_t down = joint.below + u / joint.ups;
    const std::int64_t up = joint.above + (joint.offset + u) % joint.n;
    builder.connect(builder.switch_node(static_cast<std::uint32_t>(down)),
                    builder.switch_node(static_cast<std::uint32_t>(up)));
  }
}

void wire_level(GraphBuilder& builder, const Shape& shape, std::size_t l, std::int64_t first_below,
                std::int64_t first_above) {
  const Level& below = shape.levels[l - 1];
  const Level& level = shape.levels[l];
  for (std::int64_t s = 0; s < below.blocks; ++s) {
    const std::int64_t b = s / level.full.sub_blocks;
    wire(builder, {.below = first_below + s * below.full.switches,
                   .above = first_above + b * level.full.switches,
                   .uplinks = below.block(s).uplinks,
                   .ups = l == 1 ? shape.up() : shape.half(),
                   .offset = s % level.full.sub_blocks * below.full.uplinks,
                   .n = level.block(b).switches});
  }
}

Graph build(const Parameters& parameters, RateTable rate_table) {
  const Shape shape = shape_of(parameters).value();
  const Properties known = properties(parameters).value();
  const auto hosts = static_cast<std::uint32_t>(known.hosts);
  GraphBuilder builder(static_cast<std::uint32_t>(known.switches), hosts, {std::move(rate_table)});
  builder.reserve(static_cast<std::size_t>(known.links));
  attach_hosts(builder, hosts, static_cast<std::uint32_t>(shape.down));
  wire_levels(builder, shape);
  return std::move(builder).build({"clos", parameters.texts()});
}

std::vector<Orbit> orbits(const Parameters& parameters) {
  return orbits_of(shape_of(parameters).value());
}

}  // namespace

Properties properties_of(const Shape& shape) {
  Properties known;
  known.hosts = shape.hosts;
  known.links = shape.hosts;
  for (const Level& level : shape.levels) {
    known.switches += level.switches();
    known.links += level.uplinks();
  }
  known.switch_ports = busiest_switch(shape);
  known.diameter = diameter(shape);
  known.bisection_links = saturated(Int128{shape.hosts} * shape.up() / (Int128{2} * shape.down));
  known.bisection_rule = "hosts/2 x up ports / host ports of a leaf: half of the links to the top";
  known.oversubscription = static_cast<double>(shape.down) / static_cast<double>(shape.up());
  const bool pods = shape.levels.size() > 2;
  known.groups = pods ? shape.levels[1].blocks : 1;
  known.access_switches_per_group = pods ? std::min(shape.half(), shape.leaves()) : shape.leaves();
  known.hosts_per_access_switch = shape.down;
  return known;
}

void wire_levels(GraphBuilder& builder, const Shape& shape) {
  std::int64_t first = 0;
  for (std::size_t l = 1; l < shape.levels.size(); ++l) {
    const std::int64_t above = first + shape.levels[l - 1].switches();
    wire_level(builder, shape, l, first, above);
    first = above;
  }
}

// Leaves see the same distances when they sit in equally full blocks. Only the last block of each
// level can be partial, so the leaves fall into at most four runs.
std::vector<Orbit> orbits_of(const Shape& shape) {
  const std::int64_t last = shape.leaves() - 1;
  std::vector<Orbit> runs;
  std::int64_t begin = 0;
  const auto run_until = [&](std::int64_t end) {
    if (end > begin)
      runs.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint64_t>(end - begin)});
    begin = std::max(begin, end);
  };
  for (std::size_t l = shape.levels.size() - 2; l > 0; --l)
    run_until(last / leaves_below(shape, l) * leaves_below(shape, l));
  run_until(last);
  run_until(last + 1);
  return runs;
}

Family family() {
  return {.name = "clos",
          .aliases = {{"fat-tree"}, {"fattree"}, {"leaf-spine", {{"levels", "2"}}}},
          .summary = "folded Clos (fat tree) for an exact number of hosts",
          .parameters = {{"ports", Range<std::int64_t>{2, 10'000}, std::nullopt,
                          "ports per switch, even"},
                         {"levels", Range<std::int64_t>{2, 4}, "3", "levels of switches"},
                         {"hosts", Range<std::int64_t>{1, 1'000'000'000}, std::nullopt,
                          "hosts in the network"},
                         {"down", Range<std::int64_t>{0, 10'000}, "0",
                          "host ports per leaf; 0 is half of the ports"}},
          .properties = properties,
          .build = build,
          .orbits = orbits,
          .designs = designs};
}

}  // namespace ebb::topology::clos
