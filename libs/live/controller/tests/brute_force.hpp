// SPDX-License-Identifier: Apache-2.0
//
// Which links may sleep, by walking every pair of hosts for every link: the plain meaning, to
// compare with.
#pragma once

#include "ebb/controller/reachability.hpp"

#include <algorithm>

namespace ebb::controller {

inline SleepableLinks sleepable_by_walking(const topology::Graph& graph,
                                           const TableWalker& walker) {
  SleepableLinks found{std::vector<bool>(graph.link_count()), {}};
  found.backup_channels.resize(graph.channel_count());
  for (std::uint32_t link = graph.link_count(); link-- > 0;) {
    if (!graph.connects_switches(topology::LinkId{link})) continue;
    found.may_sleep[link] = true;
    if (!walker.all_reachable(found.may_sleep)) found.may_sleep[link] = false;
  }
  for (std::uint32_t from = 0; from < graph.host_count(); ++from) {
    for (std::uint32_t to = 0; to < graph.host_count(); ++to) {
      const auto way = from == to ? std::nullopt : walker.walk(from, to, found.may_sleep);
      if (!way) continue;
      for (const topology::ChannelId bypassed : way->bypassed) {
        auto& instead = found.backup_channels[index(bypassed)];
        instead.insert(instead.end(), way->channels.begin(), way->channels.end());
      }
    }
  }
  for (auto& instead : found.backup_channels) {
    std::sort(instead.begin(), instead.end());
    instead.erase(std::unique(instead.begin(), instead.end()), instead.end());
  }
  return found;
}

}  // namespace ebb::controller
