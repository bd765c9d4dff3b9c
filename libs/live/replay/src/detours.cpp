// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/detours.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ebb::replay {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;
using topology::NodeId;

namespace {

constexpr std::size_t kMostPairs = 8;

// The switches along a path, first and last included.
std::vector<NodeId> nodes_of(std::span<const ChannelId> path, const Graph& graph) {
  std::vector<NodeId> nodes;
  if (!path.empty()) nodes.push_back(graph.source(path.front()));
  for (const ChannelId channel : path) nodes.push_back(graph.target(channel));
  return nodes;
}

}  // namespace

std::vector<ChannelId> instead_of(ChannelId channel, std::span<const ChannelId> awake,
                                  std::span<const ChannelId> now, const Graph& graph) {
  const auto place = std::find(awake.begin(), awake.end(), channel);
  if (place == awake.end() || now.empty()) return {};
  const auto which = static_cast<std::size_t>(place - awake.begin());
  const std::vector<NodeId> before = nodes_of(awake, graph);
  const std::vector<NodeId> after = nodes_of(now, graph);
  // The nearest switch ahead of the channel that the path still meets, and the nearest behind it.
  std::size_t first = which;
  auto begin = std::find(after.begin(), after.end(), before[first]);
  while (begin == after.end() && first > 0)
    begin = std::find(after.begin(), after.end(), before[--first]);
  std::size_t last = which + 1;
  auto end = std::find(begin, after.end(), before[last]);
  while (end == after.end() && last + 1 < before.size())
    end = std::find(begin, after.end(), before[++last]);
  if (begin == after.end() || end == after.end()) return {};
  const auto part = now.subspan(static_cast<std::size_t>(begin - after.begin()),
                                static_cast<std::size_t>(end - begin));
  if (part.size() == last - first) return {part[which - first]};
  return {part.begin(), part.end()};
}

Detours::Detours(const forwarding::TableWalker& walker, const simulated::FabricSetting& setting)
    : walker_(walker),
      sleepable_(setting.sleepable),
      equal_cost_(setting.equal_cost),
      graph_(walker.graph()),
      nothing_(graph_.link_count()),
      diverted_(graph_.link_count()),
      moved_(graph_.channel_count()),
      depends_on_(graph_.link_count()),
      sibling_of_(graph_.link_count()) {
  if (equal_cost_) return;
  const forwarding::ReachabilityIndex all_awake(walker);
  all_awake.for_each_path(
      [&](const forwarding::TableWalker::Path& path, std::uint32_t from, std::uint32_t to) {
        for (const ChannelId channel : path.channels) {
          if (sleepable_.may_sleep[index(topology::link_of(channel))])
            add_pair(moved_[index(channel)], {from, to});
        }
      });
}

// Evenly chosen among all that come, at least half of kMostPairs and in the same way every time.
void Detours::add_pair(Moved& moved, Pair pair) {
  if (moved.seen++ % moved.stride != 0) return;
  moved.pairs.push_back(pair);
  if (moved.pairs.size() <= kMostPairs) return;
  std::vector<Pair> every_second;
  for (std::size_t which = 0; which < moved.pairs.size(); which += 2)
    every_second.push_back(moved.pairs[which]);
  moved.pairs = std::move(every_second);
  moved.stride *= 2;
}

void Detours::divert(LinkId link, bool diverted) {
  if (diverted_[index(link)] == diverted) return;
  diverted_[index(link)] = diverted;
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    moved_[index(channel)].is_stale = true;
    if (diverted) {
      sleeping_.insert(std::lower_bound(sleeping_.begin(), sleeping_.end(), channel), channel);
    } else {
      sleeping_.erase(std::find(sleeping_.begin(), sleeping_.end(), channel));
    }
  }
  for (const ChannelId channel : sibling_of_[index(link)]) moved_[index(channel)].is_stale = true;
  for (const ChannelId channel : depends_on_[index(link)]) moved_[index(channel)].is_stale = true;
  depends_on_[index(link)].clear();
}

void Detours::find_shares(ChannelId channel) {
  Moved& moved = moved_[index(channel)];
  moved.is_stale = false;
  moved.shares.clear();
  const double share = 1.0 / static_cast<double>(std::max<std::size_t>(moved.pairs.size(), 1));
  for (const Pair& pair : moved.pairs) {
    const auto awake = walker_.walk(pair.from, pair.to, nothing_);
    const auto now = walker_.walk(pair.from, pair.to, diverted_);
    if (!awake || !now) continue;
    for (const ChannelId other : instead_of(channel, awake->channels, now->channels, graph_))
      moved.shares.push_back({other, share});
    for (const auto& met : {now->channels, now->bypassed}) {
      for (const ChannelId other : met)
        depends_on_[index(topology::link_of(other))].insert(channel);
    }
  }
  if (moved.pairs.empty()) share_among_backups(channel, moved);
}

// No pair of hosts takes the channel by these tables, and yet it was counted on it: the network is
// routed by others. Channels from the same switch that may stand in for it get equal shares, or
// those to the same switch.
void Detours::share_among_backups(ChannelId channel, Moved& moved) {
  if (!moved.siblings) moved.siblings = find_siblings(channel);
  for (const auto* side : {&moved.siblings->out, &moved.siblings->in}) {
    const auto is_in_use = [&](ChannelId other) {
      return !diverted_[index(topology::link_of(other))];
    };
    const auto in_use = std::count_if(side->begin(), side->end(), is_in_use);
    for (const ChannelId other : *side) {
      if (is_in_use(other)) moved.shares.push_back({other, 1.0 / static_cast<double>(in_use)});
    }
  }
}

Detours::Siblings Detours::find_siblings(ChannelId channel) {
  Siblings found;
  for (const ChannelId other : sleepable_.backup_channels[index(channel)]) {
    const bool out = graph_.source(other) == graph_.source(channel);
    const bool in = graph_.target(other) == graph_.target(channel);
    if (out) found.out.push_back(other);
    if (in) found.in.push_back(other);
    if (out || in) sibling_of_[index(topology::link_of(other))].push_back(channel);
  }
  return found;
}

void Detours::move(std::span<const float> sent, std::span<double> carried) {
  if (equal_cost_) return equal_cost_->move(sent, diverted_, carried);
  std::copy(sent.begin(), sent.end(), carried.begin());
  for (const ChannelId channel : sleeping_) carried[index(channel)] = 0;
  for (const ChannelId channel : sleeping_) {
    Moved& moved = moved_[index(channel)];
    if (moved.is_stale) find_shares(channel);
    const double load = sent[index(channel)];
    for (const Share& one : moved.shares) carried[index(one.channel)] += load * one.share;
  }
}

}  // namespace ebb::replay
