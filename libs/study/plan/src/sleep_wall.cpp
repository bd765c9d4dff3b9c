// SPDX-License-Identifier: Apache-2.0
#include "sleep_wall.hpp"

#include "ebb/topology/placement.hpp"

#include <cstddef>

namespace ebb::plan {
namespace {

using topology::Graph;
using topology::Link;

void count_end(const Graph& graph, topology::NodeId node, topology::NodeId other,
               std::size_t medium, const std::vector<bool>& emptied,
               std::vector<SwitchEnds>& ends) {
  if (graph.is_host(node)) return;
  SwitchEnds& own = ends[index(node)];
  if (graph.is_host(other)) {
    ++own.hosts.at(medium);
    return;
  }
  ++own.between.at(medium);
  own.to_emptied.at(medium) += emptied[index(other)] ? 1 : 0;
}

Power awake(const SleepingSwitches& all, const SwitchEnds& ends) {
  Power sum = all.core;
  for (std::size_t m = 0; m < ends.between.size(); ++m)
    sum += (all.link + all.modules.at(m)) * (ends.between.at(m) + ends.hosts.at(m));
  return sum;
}

// Less than awake, by the ends that sleep.
Power saved_by_links(const SleepingSwitches& all, const SwitchEnds& ends, bool emptied) {
  const Power each = all.link - all.link_asleep;
  Power sum;
  for (std::size_t m = 0; m < ends.between.size(); ++m) {
    const std::int64_t sure = emptied ? ends.between.at(m) : ends.to_emptied.at(m);
    sum += each * sure;
    const std::int64_t others = ends.between.at(m) - sure;
    if (all.left.at(m) > 0) sum += scale(each * others, Ratio(all.asleep.at(m), all.left.at(m)));
  }
  return sum;
}

}  // namespace

std::vector<SwitchEnds> ends_of(const Graph& graph, std::uint32_t connected_hosts,
                                const std::vector<bool>& emptied) {
  std::vector<SwitchEnds> ends(graph.switch_count());
  for (const Link& link : graph.links()) {
    if (topology::beyond_hosts(graph, link, connected_hosts)) continue;
    const auto medium = static_cast<std::size_t>(link.medium);
    count_end(graph, link.a, link.b, medium, emptied, ends);
    count_end(graph, link.b, link.a, medium, emptied, ends);
  }
  return ends;
}

Power saved_at_wall(const SleepingSwitches& all, const std::vector<SwitchEnds>& ends,
                    const std::vector<bool>& emptied, const power::SwitchSupply& supply) {
  Power saved;
  for (std::size_t s = 0; s < ends.size(); ++s) {
    const Power before = awake(all, ends[s]);
    saved += supply.at_wall(before);
    if (emptied[s] && all.off) continue;
    const Power groups = emptied[s] ? all.groups_asleep_save : Power{};
    saved -= supply.at_wall(before - saved_by_links(all, ends[s], emptied[s]) - groups);
  }
  return saved;
}

}  // namespace ebb::plan
