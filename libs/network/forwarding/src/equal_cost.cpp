// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/equal_cost.hpp"

#include "ebb/topology/recognition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace ebb::forwarding {

using topology::ChannelId;
using topology::Graph;
using topology::LinkId;
using topology::NodeId;

namespace {

constexpr std::string_view kLeafSpine =
    "ecmp is known of leaf-spines: hosts at the leaves alone, and every leaf joined to every spine";

std::vector<bool> have_hosts(const Graph& graph) {
  std::vector<bool> have(graph.switch_count());
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const auto outputs = graph.outputs(graph.switch_node(s));
    have[s] = std::any_of(outputs.begin(), outputs.end(),
                          [&](ChannelId one) { return graph.is_host(graph.target(one)); });
  }
  return have;
}

// The first link, or the first pair of switches, that a leaf-spine would not have.
std::string why_no_leaf_spine(const Graph& graph) {
  const std::vector<bool> is_leaf = have_hosts(graph);
  std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::Link& link = graph.link(LinkId{which});
    if (!graph.connects_switches(link)) continue;
    if (is_leaf[index(link.a)] == is_leaf[index(link.b)]) {
      return fmt::format("{} joins two switches {} hosts", link_name(graph, LinkId{which}),
                         is_leaf[index(link.a)] ? "with" : "without");
    }
    joined.insert(std::minmax(index(link.a), index(link.b)));
  }
  for (std::uint32_t leaf = 0; leaf < graph.switch_count(); ++leaf) {
    for (std::uint32_t spine = 0; spine < graph.switch_count(); ++spine) {
      if (is_leaf[leaf] && !is_leaf[spine] && !joined.contains(std::minmax(leaf, spine))) {
        return fmt::format("no link joins {} and {}", graph.name(graph.switch_node(leaf)),
                           graph.name(graph.switch_node(spine)));
      }
    }
  }
  return "it has no two leaves that a spine joins";
}

}  // namespace

EqualCostPaths::EqualCostPaths(const Graph& graph, const EqualCostOptions& options)
    : graph_(&graph), options_(options), bundle_of_(graph.link_count()) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> places;
  if (options.routing == Routing::ecmp) {
    const auto found = topology::leaf_spine(graph);
    for (const std::uint32_t leaf : found->leaves) leaves_.push_back(graph.switch_node(leaf));
    for (const std::uint32_t spine : found->spines) spines_.push_back(graph.switch_node(spine));
    for (const std::uint32_t leaf : found->leaves) {
      for (const std::uint32_t spine : found->spines)
        places.emplace(std::pair{leaf, spine}, static_cast<std::uint32_t>(places.size()));
    }
    bundles_.resize(places.size());
  }
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    const topology::Link& link = graph.link(LinkId{which});
    if (!graph.connects_switches(link)) continue;
    ChannelId channel = topology::forward(LinkId{which});
    const auto ends = std::pair{index(link.a), index(link.b)};
    auto place = places.find(ends);
    if (place == places.end()) {
      place = places.find({ends.second, ends.first});
      if (place != places.end()) channel = topology::reverse(channel);
    }
    if (place == places.end()) {
      place = places.emplace(ends, static_cast<std::uint32_t>(bundles_.size())).first;
      bundles_.emplace_back();
    }
    bundle_of_[which] = place->second;
    bundles_[place->second].push_back(channel);
  }
}

Result<EqualCostPaths> EqualCostPaths::make(const Graph& graph, const EqualCostOptions& options) {
  if (options.routing == Routing::ecmp && !topology::leaf_spine(graph))
    return fail(fmt::format("{}; {}", kLeafSpine, why_no_leaf_spine(graph)));
  EqualCostPaths paths(graph, options);
  std::size_t longest = 0;
  for (const Bundle& bundle : paths.bundles_) longest = std::max(longest, bundle.size());
  if (options.routing == Routing::lag && longest < 2)
    return fail("no two links join the same two switches: there is no LAG");
  const std::vector<bool> may_sleep = paths.sleepable().may_sleep;
  if (std::find(may_sleep.begin(), may_sleep.end(), true) != may_sleep.end()) return paths;
  const std::string most =
      options.routing == Routing::lag
          ? fmt::format("a LAG has at most {} links", longest)
          : fmt::format("a leaf has as many next hops as spines, {}", paths.spines_.size());
  return fail(fmt::format("no link may sleep: {}, and {} must stay", most, options.min_next_hops));
}

SleepableLinks EqualCostPaths::sleepable() const {
  SleepableLinks result{std::vector<bool>(graph_->link_count()),
                        std::vector<std::vector<ChannelId>>(graph_->channel_count())};
  const std::size_t least = options_.min_next_hops;
  for (std::size_t which = 0; which < bundles_.size(); ++which) {
    std::size_t stay = least;
    if (options_.routing == Routing::ecmp) stay = which % spines_.size() < least ? 1 : 0;
    for (std::size_t member = stay; member < bundles_[which].size(); ++member)
      result.may_sleep[index(topology::link_of(bundles_[which][member]))] = true;
  }
  const auto add = [&](ChannelId channel, ChannelId other) {
    if (other != channel) result.backup_channels[index(channel)].push_back(other);
  };
  for (std::size_t which = 0; which < bundles_.size(); ++which) {
    const bool is_ecmp = options_.routing == Routing::ecmp;
    const std::size_t first = is_ecmp ? which - which % spines_.size() : which;
    const std::size_t end = is_ecmp ? first + spines_.size() : which + 1;
    for (const ChannelId channel : bundles_[which]) {
      if (!result.may_sleep[index(topology::link_of(channel))]) continue;
      for (std::size_t sibling = first; sibling < end; ++sibling) {
        for (const ChannelId other : bundles_[sibling]) {
          add(channel, other);
          add(topology::reverse(channel), topology::reverse(other));
        }
      }
    }
  }
  for (auto& channels : result.backup_channels) std::sort(channels.begin(), channels.end());
  return result;
}

std::vector<bool> EqualCostPaths::awake_bundles(const Asleep& asleep) const {
  std::vector<bool> awake;
  awake.reserve(bundles_.size());
  for (const Bundle& bundle : bundles_) {
    awake.push_back(std::any_of(bundle.begin(), bundle.end(), [&](ChannelId channel) {
      return !asleep(topology::link_of(channel));
    }));
  }
  return awake;
}

EqualCostPaths::NextHops EqualCostPaths::next_hops_without(LinkId link,
                                                           const std::vector<bool>& asleep) const {
  const Asleep without{asleep, link};
  const Bundle& own = bundle_of(link);
  const NodeId from = graph_->source(own.front());
  if (options_.routing == Routing::lag) {
    const auto awake = std::count_if(own.begin(), own.end(), [&](ChannelId channel) {
      return !without(topology::link_of(channel));
    });
    return {static_cast<std::uint32_t>(awake), from, graph_->target(own.front())};
  }
  const std::vector<bool> awake = awake_bundles(without);
  const std::size_t leaf = bundle_of_[index(link)] / spines_.size();
  NextHops least{static_cast<std::uint32_t>(spines_.size()) + 1, from, from};
  for (std::size_t other = 0; other < leaves_.size(); ++other) {
    if (other == leaf) continue;
    std::uint32_t count = 0;
    for (std::size_t spine = 0; spine < spines_.size(); ++spine)
      count += awake[bundle(leaf, spine)] && awake[bundle(other, spine)] ? 1 : 0;
    if (count < least.fewest) least = {count, from, leaves_[other]};
  }
  return least;
}

// Load that leaves sleeping links, until all of it is known: then it is put on the paths that are
// left, by pairs of leaves.
class EqualCostPaths::Mover {
 public:
  Mover(const EqualCostPaths& paths, const Asleep& asleep, std::span<double> loads)
      : paths_(paths),
        asleep_(asleep),
        loads_(loads),
        awake_(paths.awake_bundles(asleep)),
        up_(paths.leaves_.size() * paths.leaves_.size()),
        down_(up_.size()) {}

  void take(LinkId link) {
    const std::size_t which = paths_.bundle_of_[index(link)];
    for (const ChannelId channel : paths_.bundles_[which]) {
      if (topology::link_of(channel) != link) continue;
      if (awake_[which]) {
        add(which, Direction::up, std::exchange(loads_[index(channel)], 0.0));
        add(which, Direction::down, std::exchange(loads_[index(topology::reverse(channel))], 0.0));
      } else if (paths_.options_.routing == Routing::ecmp) {
        take_from_leaf(which, channel);
        take_from_spine(which, channel);
      }
    }
  }

  // Frames between two leaves take all spines that have links to both. There is one: the rule
  // min_next_hops sees to it.
  void put(std::size_t from, std::size_t to) {
    const double up = std::exchange(up_[pair(from, to)], 0.0);
    const double down = std::exchange(down_[pair(from, to)], 0.0);
    if (up <= 0 && down <= 0) return;
    std::vector<std::size_t> by;
    for (std::size_t spine = 0; spine < paths_.spines_.size(); ++spine) {
      if (awake_[paths_.bundle(from, spine)] && awake_[paths_.bundle(to, spine)])
        by.push_back(spine);
    }
    const auto share = static_cast<double>(by.size());
    for (const std::size_t spine : by) {
      add(paths_.bundle(from, spine), Direction::up, up / share);
      add(paths_.bundle(to, spine), Direction::down, down / share);
    }
  }

 private:
  enum class Direction : std::uint8_t { up, down };
  static ChannelId of(ChannelId up, Direction direction) {
    return direction == Direction::up ? up : topology::reverse(up);
  }
  [[nodiscard]] std::size_t pair(std::size_t from, std::size_t to) const {
    return from * paths_.leaves_.size() + to;
  }

  [[nodiscard]] double load(std::size_t bundle, Direction direction) const {
    double sum = 0;
    for (const ChannelId channel : paths_.bundles_[bundle])
      sum += loads_[index(of(channel, direction))];
    return sum;
  }
  // In equal shares to the links that are awake.
  void add(std::size_t bundle, Direction direction, double load) {
    const Bundle& links = paths_.bundles_[bundle];
    const auto awake = std::count_if(links.begin(), links.end(), [&](ChannelId channel) {
      return !asleep_(topology::link_of(channel));
    });
    for (const ChannelId channel : links) {
      if (!asleep_(topology::link_of(channel)))
        loads_[index(of(channel, direction))] += load / static_cast<double>(awake);
    }
  }
  // From each link in proportion; at most what there is.
  double remove(std::size_t bundle, Direction direction, double wanted) {
    const double all = load(bundle, direction);
    const double removed = std::min(all, wanted);
    if (removed <= 0) return 0;
    for (const ChannelId channel : paths_.bundles_[bundle])
      loads_[index(of(channel, direction))] *= 1 - removed / all;
    return removed;
  }
  // Of the bundles of the spine but that of one leaf, by leaf.
  [[nodiscard]] std::vector<double> shares(std::size_t spine, std::size_t leaf,
                                           Direction direction) const {
    std::vector<double> shares(paths_.leaves_.size());
    double sum = 0;
    for (std::size_t other = 0; other < shares.size(); ++other) {
      if (other == leaf) continue;
      shares[other] = load(paths_.bundle(other, spine), direction);
      sum += shares[other];
    }
    // Where the spine sent nothing on, nothing is known of whom it is for.
    if (sum <= 0) {
      std::fill(shares.begin(), shares.end(), 1.0);
      shares[leaf] = 0;
      sum = static_cast<double>(shares.size() - 1);
    }
    for (double& share : shares) share /= sum;
    return shares;
  }

  // What the leaf sent to the spine no longer comes out of it either, and the other direction
  // round.
  void take_from_leaf(std::size_t which, ChannelId channel) {
    const std::size_t leaf = which / paths_.spines_.size();
    const std::size_t spine = which % paths_.spines_.size();
    const double sent = std::exchange(loads_[index(channel)], 0.0);
    const std::vector<double> share = shares(spine, leaf, Direction::down);
    for (std::size_t other = 0; other < share.size(); ++other) {
      const double part = sent * share[other];
      up_[pair(leaf, other)] += part;
      down_[pair(leaf, other)] += remove(paths_.bundle(other, spine), Direction::down, part);
    }
  }
  void take_from_spine(std::size_t which, ChannelId channel) {
    const std::size_t leaf = which / paths_.spines_.size();
    const std::size_t spine = which % paths_.spines_.size();
    const double sent = std::exchange(loads_[index(topology::reverse(channel))], 0.0);
    const std::vector<double> share = shares(spine, leaf, Direction::up);
    for (std::size_t other = 0; other < share.size(); ++other) {
      const double part = sent * share[other];
      down_[pair(other, leaf)] += part;
      up_[pair(other, leaf)] += remove(paths_.bundle(other, spine), Direction::up, part);
    }
  }

  const EqualCostPaths& paths_;
  Asleep asleep_;
  std::span<double> loads_;
  std::vector<bool> awake_;   // by bundle
  std::vector<double> up_;    // by pair of leaves: load that the first sends by other spines now
  std::vector<double> down_;  // and that comes to the second by them
};

void EqualCostPaths::move(std::span<const float> sent, const std::vector<bool>& asleep,
                          std::span<double> carried) const {
  std::copy(sent.begin(), sent.end(), carried.begin());
  Mover mover(*this, {asleep}, carried);
  for (std::uint32_t link = 0; link < asleep.size(); ++link) {
    if (asleep[link]) mover.take(LinkId{link});
  }
  for (std::size_t from = 0; from < leaves_.size(); ++from) {
    for (std::size_t to = 0; to < leaves_.size(); ++to) mover.put(from, to);
  }
}

void EqualCostPaths::take_off(LinkId link, const std::vector<bool>& asleep,
                              std::span<double> loads) const {
  Mover mover(*this, {asleep, link}, loads);
  mover.take(link);
  const std::size_t leaf = leaves_.empty() ? 0 : bundle_of_[index(link)] / spines_.size();
  for (std::size_t other = 0; other < leaves_.size(); ++other) {
    mover.put(leaf, other);
    mover.put(other, leaf);
  }
}

}  // namespace ebb::forwarding
