// SPDX-License-Identifier: Apache-2.0
//
// Which links may sleep, by walking every pair of hosts for every link: the plain meaning, to
// compare with.
#pragma once

#include "ebb/controller/reachability.hpp"

#include <algorithm>
#include <span>

namespace ebb::controller {

inline SleepableLinks sleepable_by_walking(const topology::Graph& graph,
                                           std::span<const forwarding::Table> tables,
                                           const TableWalker& walker) {
  SleepableLinks found{std::vector<bool>(graph.link_count()), {}};
  found.backup_channels.resize(graph.channel_count());
  for (const topology::LinkId link : sleep_order(graph, tables)) {
    found.may_sleep[index(link)] = true;
    if (!walker.all_reachable(found.may_sleep)) found.may_sleep[index(link)] = false;
  }
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

}  // namespace ebb::controller
