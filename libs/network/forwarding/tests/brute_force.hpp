// SPDX-License-Identifier: Apache-2.0
//
// Which links may sleep, by walking every pair of hosts for every link: the plain meaning, to
// compare with.
#pragma once

#include "ebb/forwarding/reachability.hpp"

#include <algorithm>
#include <span>

namespace ebb::forwarding {

// With these asleep: which channels carry what others carried.
inline SleepableLinks backups_by_walking(const topology::Graph& graph, const TableWalker& walker,
                                         const std::vector<bool>& may_sleep) {
  SleepableLinks found{may_sleep, {}};
  found.backup_channels.resize(graph.channel_count());
  for (std::uint32_t from = 0; from < graph.host_count(); ++from) {
    for (std::uint32_t to = 0; to < graph.host_count(); ++to) {
      const auto path = from == to ? std::nullopt : walker.walk(from, to, found.may_sleep);
      if (!path) continue;
      for (const topology::ChannelId bypassed : path->bypassed) {
        auto& backups = found.backup_channels[index(bypassed)];
        backups.insert(backups.end(), path->channels.begin(), path->channels.end());
      }
    }
  }
  for (auto& backups : found.backup_channels) {
    std::sort(backups.begin(), backups.end());
    backups.erase(std::unique(backups.begin(), backups.end()), backups.end());
  }
  return found;
}

// Links one by one.
inline SleepableLinks sleepable_by_walking(const topology::Graph& graph,
                                           std::span<const Table> tables,
                                           const TableWalker& walker) {
  std::vector<bool> may_sleep(graph.link_count());
  for (const topology::LinkId link : sleep_order(graph, tables)) {
    may_sleep[index(link)] = true;
    if (!walker.all_reachable(may_sleep)) may_sleep[index(link)] = false;
  }
  return backups_by_walking(graph, walker, may_sleep);
}

}  // namespace ebb::forwarding
