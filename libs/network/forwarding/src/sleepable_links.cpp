// SPDX-License-Identifier: Apache-2.0
//
// Which links may sleep at the same time, and who then carries their load.
#include "ebb/forwarding/exact_sleepable.hpp"
#include "ebb/forwarding/reachability.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace ebb::forwarding {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;

// Only small networks are searched: a look may walk every pair of hosts, and all looks together
// walk so many pairs at most, which takes a tenth of a second.
constexpr std::uint64_t kMostWalks = 2'000'000;
constexpr std::size_t kMostLinksToSearch = 256;  // it is as deep as there are links

std::uint64_t most_looks(const Graph& graph) {
  const std::uint64_t hosts = std::max(1U, graph.host_count());
  return kMostWalks / (hosts * hosts);
}

void make_unique(std::vector<ChannelId>& channels) {
  std::sort(channels.begin(), channels.end());
  channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
}

// Many paths share their backup channels: repetitions go before they fill the memory.
void add(const std::vector<ChannelId>& more, std::vector<ChannelId>& channels) {
  if (channels.size() + more.size() > channels.capacity()) make_unique(channels);
  channels.insert(channels.end(), more.begin(), more.end());
}

// With everything asleep that may be: what takes the place of the channels that a frame bypassed,
// and of those that it would have come to had it not been rerouted before.
void add_paths(const TableWalker& walker, const ReachabilityIndex& reachability,
               std::vector<std::vector<ChannelId>>& backups) {
  const std::vector<bool> none(walker.graph().link_count());
  reachability.for_each_path(
      [&](const TableWalker::Path& path, std::uint32_t from, std::uint32_t to) {
        for (const ChannelId bypassed : path.bypassed) add(path.channels, backups[index(bypassed)]);
        if (path.bypassed.empty()) return;
        const auto before = walker.walk(from, to, none);
        if (!before) return;
        for (const ChannelId channel : before->channels) {
          if (reachability.asleep()[index(topology::link_of(channel))] &&
              std::find(path.bypassed.begin(), path.bypassed.end(), channel) == path.bypassed.end())
            add(path.channels, backups[index(channel)]);
        }
      });
}

void add_outputs(const Graph& graph, topology::NodeId at, std::vector<ChannelId>& channels) {
  for (const ChannelId output : graph.outputs(at)) {
    if (!graph.is_host(graph.target(output))) channels.push_back(output);
  }
}

// Where frames bounce that come back from a switch which has lost another: the outputs of their
// rules, and from there to that other one.
void add_bounces(const Graph& graph, std::span<const Table> tables, topology::NodeId from,
                 topology::NodeId lost, std::vector<ChannelId>& channels) {
  for (const ChannelId back : graph.outputs(from)) {
    if (graph.is_host(graph.target(back))) continue;
    for (const Rule& rule : tables[index(graph.target(back))].rules) {
      if (rule.input != back) continue;
      channels.push_back(rule.output);
      for (const ChannelId last : graph.outputs(graph.target(rule.output))) {
        if (graph.target(last) == lost) channels.push_back(last);
      }
    }
  }
}

// While only some of what may sleep does: the choices of a switch up to the first that is never
// asleep. A parallel link takes all that the channel carried and nothing further on changes;
// another switch may send it anywhere.
void add_choices(const Graph& graph, std::span<const Table> tables,
                 const std::vector<bool>& may_sleep, ChannelId channel,
                 std::vector<ChannelId>& channels) {
  const auto at = graph.source(channel);
  if (graph.is_host(at)) return;
  for (const FastReroute& reroute : tables[index(at)].fast_reroutes) {
    // Those after it, of each output that it stands in for, and of its own.
    const auto& others = reroute.untagged;
    auto next = others.begin();
    if (reroute.output != channel) {
      next = std::find(others.begin(), others.end(), channel);
      if (next == others.end()) continue;
      ++next;
    }
    const auto stays = std::find_if(next, others.end(), [&](ChannelId other) {
      return !may_sleep[index(topology::link_of(other))];
    });
    for (auto other = next; other != others.end() && other <= stays; ++other) {
      channels.push_back(*other);
      if (graph.target(*other) != graph.target(channel))
        add_outputs(graph, graph.target(*other), channels);
    }
    if (stays != others.end() || !reroute.back) continue;
    add_outputs(graph, at, channels);
    add_bounces(graph, tables, at, graph.target(channel), channels);
  }
}

std::vector<std::vector<ChannelId>> backup_channels(const TableWalker& walker,
                                                    std::span<const Table> tables,
                                                    const ReachabilityIndex& reachability) {
  const Graph& graph = walker.graph();
  std::vector<std::vector<ChannelId>> backups(2 * std::size_t{graph.link_count()});
  add_paths(walker, reachability, backups);
  const std::vector<bool>& may_sleep = reachability.asleep();
  for (std::uint32_t channel = 0; channel < backups.size(); ++channel) {
    if (may_sleep[index(topology::link_of(ChannelId{channel}))])
      add_choices(graph, tables, may_sleep, ChannelId{channel}, backups[channel]);
    std::erase(backups[channel], ChannelId{channel});
  }
  for (auto& channels : backups) {
    make_unique(channels);
    channels.shrink_to_fit();
  }
  return backups;
}

// By link: those that backup paths count on.
std::vector<bool> core_links(const Graph& graph, std::span<const Table> tables) {
  std::vector<bool> core(graph.link_count());
  for (const Table& table : tables) {
    for (const ChannelId output : table.core) core[index(topology::link_of(output))] = true;
  }
  return core;
}

}  // namespace

std::vector<LinkId> sleep_order(const Graph& graph, std::span<const Table> tables) {
  const std::vector<bool> is_core = core_links(graph, tables);
  std::vector<LinkId> order;
  for (std::uint32_t link = graph.link_count(); link-- > 0;) {
    if (graph.connects_switches(LinkId{link})) order.push_back(LinkId{link});
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](LinkId link) { return !is_core[index(link)]; });
  return order;
}

SleepableLinks sleepable_links(const Graph& graph, const AddressPlan& plan,
                               std::span<const Table> tables) {
  const TableWalker walker(graph, plan, tables);
  // With all others asleep a part of the core may be idle; with some of them it is needed again.
  std::vector<LinkId> order = sleep_order(graph, tables);
  std::erase_if(order,
                [core = core_links(graph, tables)](LinkId link) { return core[index(link)]; });
  ReachabilityIndex reachability(walker);
  // The search comes to what is taken one by one first, if it may look at every link.
  if (const std::uint64_t looks = most_looks(graph);
      looks >= order.size() && order.size() <= kMostLinksToSearch) {
    const ExactSleepable best = exact_sleepable(walker, order, looks);
    for (const LinkId link : order) {
      if (best.may_sleep[index(link)]) reachability.set(link, true);
    }
  } else {
    for (const LinkId link : order) {
      if (reachability.all_reachable_without(link)) reachability.set(link, true);
    }
  }
  return {reachability.asleep(), backup_channels(walker, tables, reachability)};
}

}  // namespace ebb::forwarding
