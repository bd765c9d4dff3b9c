// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric/sleepers.hpp"

#include "ebb/rules/lookup.hpp"

#include <algorithm>
#include <optional>

namespace ebb::fabric {
namespace {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;

// Frames between hosts, by the tables, when some links sleep.
class Ways {
 public:
  Ways(const Graph& graph, const rules::AddressPlan& plan, std::span<const rules::Table> tables)
      : graph_(graph), plan_(plan) {
    for (const rules::Table& table : tables) lookups_.emplace_back(table, plan);
  }

  struct Way {
    std::vector<ChannelId> channels;  // between switches
    std::optional<ChannelId> dodged;  // the output that slept, if one did
  };

  // Nothing when the frame does not arrive.
  [[nodiscard]] std::optional<Way> walk(std::uint32_t from, std::uint32_t to,
                                        const std::vector<bool>& asleep) const {
    Way way;
    rules::Frame frame{graph_.outputs(graph_.host_node(from)).front(), plan_.of_host(from),
                       plan_.of_host(to)};
    while (way.channels.size() <= 2 * std::size_t{graph_.switch_count()}) {
      const auto output = step(frame, asleep, way);
      if (!output) return std::nullopt;
      const auto next = graph_.target(*output);
      if (graph_.is_host(next))
        return graph_.host_number(next) == to ? std::optional(way) : std::nullopt;
      way.channels.push_back(*output);
      frame.input = *output;
    }
    return std::nullopt;
  }

 private:
  std::optional<ChannelId> step(rules::Frame& frame, const std::vector<bool>& asleep,
                                Way& way) const {
    const rules::Lookup& lookup = lookups_[index(graph_.target(*frame.input))];
    const rules::Rule* rule = lookup.rule(frame);
    if (rule == nullptr) return std::nullopt;
    if (!asleep[index(topology::link_of(rule->output))]) return rule->output;
    const auto instead = lookup.table().detour(rule->output);
    if (rule->use != rules::Use::conditional || !instead ||
        asleep[index(topology::link_of(*instead))])
      return std::nullopt;
    frame.destination |= rules::kMark;
    way.dodged = rule->output;
    return instead;
  }

  const Graph& graph_;
  const rules::AddressPlan& plan_;
  std::vector<rules::Lookup> lookups_;
};

class Chooser {
 public:
  Chooser(const Graph& graph, const Ways& ways)
      : graph_(graph), ways_(ways), asleep_(graph.link_count()), users_(graph.link_count()) {
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
    std::vector<std::pair<std::uint32_t, Ways::Way>> changed;
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
    for (const Ways::Way& way : ways_of_) {
      if (!way.dodged) continue;
      auto& instead = all.instead[index(*way.dodged)];
      instead.insert(instead.end(), way.channels.begin(), way.channels.end());
    }
    for (auto& instead : all.instead) {
      std::sort(instead.begin(), instead.end());
      instead.erase(std::unique(instead.begin(), instead.end()), instead.end());
    }
    return all;
  }

 private:
  [[nodiscard]] std::optional<Ways::Way> walk(std::uint32_t pair) const {
    return ways_.walk(pair / graph_.host_count(), pair % graph_.host_count(), asleep_);
  }

  void keep(std::uint32_t pair, Ways::Way way) {
    for (const ChannelId channel : way.channels) {
      auto& users = users_[index(topology::link_of(channel))];
      if (users.empty() || users.back() != pair) users.push_back(pair);
    }
    ways_of_[pair] = std::move(way);
  }

  const Graph& graph_;
  const Ways& ways_;
  std::vector<bool> asleep_;
  std::vector<std::vector<std::uint32_t>> users_;  // by link: pairs that use it, or once did
  std::vector<Ways::Way> ways_of_;                 // by pair
};

}  // namespace

Sleepers sleepers(const Graph& graph, const rules::AddressPlan& plan,
                  std::span<const rules::Table> tables) {
  const Ways ways(graph, plan, tables);
  Chooser chooser(graph, ways);
  // From the last: on a flattened butterfly the links of coordinate 0 then stay, as they do under
  // the routing thinned-star.
  for (std::uint32_t link = graph.link_count(); link-- > 0;) {
    const topology::Link& ends = graph.link(LinkId{link});
    if (!graph.is_host(ends.a) && !graph.is_host(ends.b)) chooser.consider(LinkId{link});
  }
  return chooser.result();
}

}  // namespace ebb::fabric
