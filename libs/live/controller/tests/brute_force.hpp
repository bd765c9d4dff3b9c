// SPDX-License-Identifier: Apache-2.0
//
// Which links may sleep, by walking every pair of hosts for every link: the plain meaning, to
// compare with.
#pragma once

#include "ebb/controller/reach.hpp"
#include "ebb/controller/sleepers.hpp"

#include <algorithm>

namespace ebb::controller {

inline bool between_switches(const topology::Graph& graph, std::uint32_t link) {
  const topology::Link& ends = graph.link(topology::LinkId{link});
  return !graph.is_host(ends.a) && !graph.is_host(ends.b);
}

inline Sleepers sleepers_by_walking(const topology::Graph& graph, const Reach& reach) {
  Sleepers found{std::vector<bool>(graph.link_count()), {}};
  found.instead.resize(graph.channel_count());
  for (std::uint32_t link = graph.link_count(); link-- > 0;) {
    if (!between_switches(graph, link)) continue;
    found.may_sleep[link] = true;
    if (!reach.everyone(found.may_sleep)) found.may_sleep[link] = false;
  }
  for (std::uint32_t from = 0; from < graph.host_count(); ++from) {
    for (std::uint32_t to = 0; to < graph.host_count(); ++to) {
      const auto way = from == to ? std::nullopt : reach.walk(from, to, found.may_sleep);
      if (!way) continue;
      for (const topology::ChannelId dodged : way->dodged) {
        auto& instead = found.instead[index(dodged)];
        instead.insert(instead.end(), way->channels.begin(), way->channels.end());
      }
    }
  }
  for (auto& instead : found.instead) {
    std::sort(instead.begin(), instead.end());
    instead.erase(std::unique(instead.begin(), instead.end()), instead.end());
  }
  return found;
}

}  // namespace ebb::controller
