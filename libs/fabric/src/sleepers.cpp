// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric/sleepers.hpp"

#include "ebb/fabric/reach.hpp"

#include <algorithm>
#include <optional>

namespace ebb::fabric {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;

class Chooser {
 public:
  Chooser(const Graph& graph, const Reach& reach)
      : graph_(graph), reach_(reach), asleep_(graph.link_count()), users_(graph.link_count()) {
    const std::uint32_t hosts = graph.host_count();
    ways_of_.resize(std::size_t{hosts} * hosts);
    for (std::uint32_t pair = 0; pair < ways_of_.size(); ++pair) {
      if (pair / hosts == pair % hosts) continue;
      if (auto way = walk(pair)) keep(pair, std::move(*way));
    }
  }

  // Puts the link to sleep if every pair still arrives.
  void consider(LinkId link) {
    asleep_[index(link)] = true;
    std::vector<std::pair<std::uint32_t, Reach::Way>> changed;
    for (const std::uint32_t pair : users_[index(link)]) {
      auto way = walk(pair);
      if (!way) {
        asleep_[index(link)] = false;
        return;
      }
      changed.emplace_back(pair, std::move(*way));
    }
    for (auto& [pair, way] : changed) keep(pair, std::move(way));
  }

  [[nodiscard]] Sleepers result() const {
    Sleepers all{asleep_,
                 std::vector<std::vector<ChannelId>>(2 * std::size_t{graph_.link_count()})};
    for (const Reach::Way& way : ways_of_) {
      for (const ChannelId dodged : way.dodged) {
        auto& instead = all.instead[index(dodged)];
        instead.insert(instead.end(), way.channels.begin(), way.channels.end());
      }
    }
    for (auto& instead : all.instead) {
      std::sort(instead.begin(), instead.end());
      instead.erase(std::unique(instead.begin(), instead.end()), instead.end());
    }
    return all;
  }

 private:
  [[nodiscard]] std::optional<Reach::Way> walk(std::uint32_t pair) const {
    return reach_.walk(pair / graph_.host_count(), pair % graph_.host_count(), asleep_);
  }

  void keep(std::uint32_t pair, Reach::Way way) {
    for (const ChannelId channel : way.channels) {
      auto& users = users_[index(topology::link_of(channel))];
      if (users.empty() || users.back() != pair) users.push_back(pair);
    }
    ways_of_[pair] = std::move(way);
  }

  const Graph& graph_;
  const Reach& reach_;
  std::vector<bool> asleep_;
  std::vector<std::vector<std::uint32_t>> users_;  // by link: pairs that use it, or once did
  std::vector<Reach::Way> ways_of_;                // by pair
};

}  // namespace

Sleepers sleepers(const Graph& graph, const rules::AddressPlan& plan,
                  std::span<const rules::Table> tables) {
  const Reach reach(graph, plan, tables);
  Chooser chooser(graph, reach);
  // From the last: on a flattened butterfly the links of coordinate 0 then stay, as they do under
  // the routing thinned-star.
  for (std::uint32_t link = graph.link_count(); link-- > 0;) {
    const topology::Link& ends = graph.link(LinkId{link});
    if (!graph.is_host(ends.a) && !graph.is_host(ends.b)) chooser.consider(LinkId{link});
  }
  return chooser.result();
}

}  // namespace ebb::fabric
