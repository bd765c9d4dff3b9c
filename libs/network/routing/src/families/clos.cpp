// SPDX-License-Identifier: Apache-2.0
#include "families/clos.hpp"

#include "schemes.hpp"

#include <algorithm>

namespace ebb::routing {

Clos::Clos(const Graph& graph) : graph_(graph) {
  const Parameters parameters = topology::clos_parameters(graph.origin()).value();
  if (graph.origin().family == "rail-clos") rails_.emplace(parameters_of(graph));
  hosts_per_leaf_ = hosts_per_leaf(parameters);
  levels_ = levels_of(parameters);
}

std::int64_t Clos::hosts_per_leaf(const Parameters& parameters) {
  const std::int64_t down = parameters.integer("down");
  return down == 0 ? parameters.integer("ports") / 2 : down;
}

std::vector<Clos::Level> Clos::levels_of(const Parameters& parameters) {
  const std::int64_t ports = parameters.integer("ports");
  const std::int64_t half = ports / 2;
  const std::int64_t down = hosts_per_leaf(parameters);
  const std::int64_t up = ports - down;
  std::vector<Level> found;
  found.push_back({.blocks = ceil_div(parameters.integer("hosts"), down),
                   .leaves = 1,
                   .switches = 1,
                   .last_switches = 1,
                   .uplinks = up,
                   .last_uplinks = up,
                   .ups = up});
  const auto levels = static_cast<std::size_t>(parameters.integer("levels"));
  while (found.size() + 1 < levels) found.push_back(joined(found.back(), half, half, half));
  found.push_back(joined(found.back(), found.back().blocks, ports, 0));
  return found;
}

Clos::Level Clos::joined(const Level& below, std::int64_t sub_blocks, std::int64_t down_ports,
                         std::int64_t ups) {
  Level level;
  level.first_switch =
      below.first_switch + (below.blocks - 1) * below.switches + below.last_switches;
  level.blocks = ceil_div(below.blocks, sub_blocks);
  level.sub_blocks = sub_blocks;
  level.leaves = sub_blocks * below.leaves;
  level.switches = ceil_div(sub_blocks * below.uplinks, down_ports);
  const std::int64_t rest = below.blocks - (level.blocks - 1) * sub_blocks;
  level.last_switches = ceil_div((rest - 1) * below.uplinks + below.last_uplinks, down_ports);
  level.uplinks = level.switches * ups;
  level.last_uplinks = level.last_switches * ups;
  level.ups = ups;
  return level;
}

std::size_t Clos::level_of(std::uint32_t s) const {
  std::size_t level = 0;
  while (level + 1 < levels_.size() && s >= levels_[level + 1].first_switch) ++level;
  return level;
}

bool Clos::holds(std::size_t level, std::uint32_t s, std::uint32_t leaf) const {
  const Level& l = levels_[level];
  return level + 1 == levels_.size() || (s - l.first_switch) / l.switches == leaf / l.leaves;
}

void Clos::step_down(std::size_t level, std::uint32_t from, std::uint32_t leaf,
                     Candidates& out) const {
  const Level& l = levels_[level];
  const Level& below = levels_[level - 1];
  const std::int64_t block = (from - l.first_switch) / l.switches;
  const std::int64_t i = (from - l.first_switch) % l.switches;
  const std::int64_t n = l.switches_of(block);
  const std::int64_t sub_block = leaf / below.leaves;
  // The first uplink of the sub-block, counted through the block, and one past its last.
  const std::int64_t begin = (sub_block - block * l.sub_blocks) * below.uplinks;
  const std::int64_t end = begin + below.uplinks_of(sub_block);
  const auto outputs = graph_.outputs(NodeId{from});
  for (std::int64_t port = begin <= i ? 0 : ceil_div(begin - i, n); i + port * n < end; ++port)
    out.push({outputs[static_cast<std::size_t>(port)], 0});
}

void Clos::step(std::uint32_t from, std::uint32_t leaf, Candidates& out) const {
  const std::size_t level = level_of(from);
  if (holds(level, from, leaf)) return step_down(level, from, leaf, out);
  const auto outputs = graph_.outputs(NodeId{from});
  for (const ChannelId channel : outputs.last(static_cast<std::size_t>(levels_[level].ups)))
    out.push({channel, 0});
}

int Clos::remaining_hops(std::uint32_t from, std::uint32_t leaf) const {
  const std::size_t level = level_of(from);
  if (holds(level, from, leaf)) return static_cast<int>(level);
  // Any leaf below `from`'s block will do to see which larger block holds both.
  const std::int64_t here =
      (from - levels_[level].first_switch) / levels_[level].switches * levels_[level].leaves;
  std::size_t top = level + 1;
  while (top + 1 < levels_.size() && here / levels_[top].leaves != leaf / levels_[top].leaves)
    ++top;
  return static_cast<int>(top - level + top);
}

}  // namespace ebb::routing
