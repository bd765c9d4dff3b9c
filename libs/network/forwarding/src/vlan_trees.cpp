// SPDX-License-Identifier: Apache-2.0
#include "ebb/forwarding/vlan_trees.hpp"

#include "ebb/topology/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace ebb::forwarding {

using topology::Graph;

namespace {

// The lag by which each switch is first reached, breadth first.
std::vector<std::optional<std::uint32_t>> reach(const Graph& graph, const Lags& lags,
                                                std::uint32_t root,
                                                const std::vector<bool>& closed) {
  std::vector<std::optional<std::uint32_t>> by(graph.switch_count());
  std::vector<std::uint32_t> queue = {root};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::uint32_t lag : lags.at(queue[i])) {
      const std::uint32_t next = lags[lag].other(queue[i]);
      if (next == root || by[next] || (!closed.empty() && closed[lag])) continue;
      by[next] = lag;
      queue.push_back(next);
    }
  }
  return by;
}

// Keeps what leads to a switch with hosts.
SourceTree pruned(const Graph& graph, const Lags& lags, std::uint32_t root,
                  const std::vector<std::optional<std::uint32_t>>& by) {
  SourceTree tree{root, std::vector<std::optional<std::uint32_t>>(by.size())};
  for (std::uint32_t s = 0; s < by.size(); ++s) {
    if (!has_hosts(graph, s)) continue;
    for (std::uint32_t at = s; at != root && by[at] && !tree.last_lag[at];
         at = lags[*by[at]].other(at)) {
      tree.last_lag[at] = by[at];
    }
  }
  return tree;
}

std::string vlan_text(const VlanAssignment& assignment, std::uint32_t vlan) {
  return fmt::format("VLAN {}", assignment.vlans[vlan].id);
}

}  // namespace

Lags::Lags(const Graph& graph) : at_(graph.switch_count()) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    for (const topology::ChannelId channel : graph.outputs(graph.switch_node(s))) {
      const auto target = graph.target(channel);
      if (graph.is_host(target)) continue;
      const auto [place, is_new] = known.try_emplace(std::minmax(s, index(target)), all_.size());
      if (is_new) all_.push_back({place->first.first, place->first.second, {}});
      if (s < index(target)) all_[place->second].links.push_back(link_of(channel));
      auto& here = at_[s];
      if (std::find(here.begin(), here.end(), place->second) == here.end())
        here.push_back(place->second);
    }
  }
  for (Lag& lag : all_) std::sort(lag.links.begin(), lag.links.end());
}

std::vector<std::uint32_t> SourceTree::path(const Lags& lags, std::uint32_t to) const {
  std::vector<std::uint32_t> path;
  for (std::uint32_t at = to; at != root; at = lags[path.back()].other(at))
    path.push_back(*last_lag[at]);
  std::reverse(path.begin(), path.end());
  return path;
}

std::vector<std::uint32_t> SourceTree::lags() const {
  std::vector<std::uint32_t> all;
  for (const auto& lag : last_lag) {
    if (lag) all.push_back(*lag);
  }
  std::sort(all.begin(), all.end());
  return all;
}

Result<std::vector<SourceTree>> shortest_path_trees(const Graph& graph, const Lags& lags,
                                                    const std::vector<bool>& closed) {
  std::vector<SourceTree> trees;
  for (std::uint32_t root = 0; root < graph.switch_count(); ++root) {
    if (!has_hosts(graph, root)) continue;
    const auto by = reach(graph, lags, root, closed);
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      if (s == root || by[s] || !has_hosts(graph, s)) continue;
      return fail(fmt::format("no path from {} to {}", graph.name(graph.switch_node(root)),
                              graph.name(graph.switch_node(s))));
    }
    trees.push_back(pruned(graph, lags, root, by));
  }
  return trees;
}

Result<VlanAssignment> assign_vlans(const Graph& graph, std::span<const SourceTree> trees) {
  VlanAssignment assignment;
  assignment.pvid.resize(graph.switch_count());
  for (const SourceTree& tree : trees) {
    const std::vector<std::uint32_t> wanted = tree.lags();
    const auto includes = [&](const Vlan& vlan) {
      return std::includes(vlan.lags.begin(), vlan.lags.end(), wanted.begin(), wanted.end());
    };
    auto& vlans = assignment.vlans;
    const auto found = std::find_if(vlans.begin(), vlans.end(), includes);
    assignment.pvid[tree.root] = static_cast<std::uint32_t>(found - vlans.begin());
    if (found != vlans.end()) continue;
    if (vlans.size() > kLastVlan - kFirstVlan) {
      return fail(fmt::format("the trees need more than {} VLANs, all that there are",
                              kLastVlan - kFirstVlan + 1));
    }
    vlans.push_back({static_cast<std::uint16_t>(kFirstVlan + vlans.size()), wanted});
  }
  return assignment;
}

Result<VlanNetwork> vlan_network(const Graph& graph) {
  Lags lags(graph);
  auto trees = shortest_path_trees(graph, lags);
  if (!trees) return fail(trees.error());
  auto assignment = assign_vlans(graph, *trees);
  if (!assignment) return fail(assignment.error());
  return VlanNetwork{std::move(lags), std::move(*trees), std::move(*assignment)};
}

NextLags next_lags(const VlanNetwork& network, std::uint32_t at) {
  NextLags next;
  for (const SourceTree& tree : network.trees) {
    for (const SourceTree& other : network.trees) {
      std::uint32_t here = tree.root;
      for (const std::uint32_t lag : tree.path(network.lags, other.root)) {
        if (here == at) next[{*network.assignment.pvid[tree.root], other.root}] = lag;
        here = network.lags[lag].other(here);
      }
    }
  }
  return next;
}

namespace {

// Joins the ends of lags; one whose ends were joined before closes a loop.
class Joined {
 public:
  explicit Joined(std::uint32_t switches) : up_(switches) {
    for (std::uint32_t s = 0; s < switches; ++s) up_[s] = s;
  }
  [[nodiscard]] std::uint32_t top(std::uint32_t s) {
    while (up_[s] != s) s = up_[s] = up_[up_[s]];
    return s;
  }
  [[nodiscard]] bool join(std::uint32_t a, std::uint32_t b) {
    const bool apart = top(a) != top(b);
    up_[top(a)] = top(b);
    return apart;
  }

 private:
  std::vector<std::uint32_t> up_;
};

void check_loops(const Graph& graph, const Lags& lags, const VlanAssignment& assignment,
                 Errors& errors) {
  for (std::uint32_t v = 0; v < assignment.vlans.size(); ++v) {
    Joined joined(graph.switch_count());
    for (const std::uint32_t lag : assignment.vlans[v].lags) {
      if (joined.join(lags[lag].a, lags[lag].b)) continue;
      errors.push_back(
          {fmt::format("{} has a loop that {} to {} closes: a broadcast never ends",
                       vlan_text(assignment, v), graph.name(graph.switch_node(lags[lag].a)),
                       graph.name(graph.switch_node(lags[lag].b))),
           {}});
    }
  }
}

// In a tree there is one path from the root to anyone, so members that hold the path are enough.
void check_paths(const Graph& graph, const Lags& lags, const SourceTree& tree,
                 const VlanAssignment& assignment, Errors& errors) {
  const auto name = [&](std::uint32_t s) { return graph.name(graph.switch_node(s)); };
  const auto pvid = assignment.pvid[tree.root];
  if (!pvid) {
    errors.push_back({fmt::format("{} has hosts but no VLAN", name(tree.root)), {}});
    return;
  }
  const auto& members = assignment.vlans[*pvid].lags;
  for (std::uint32_t to = 0; to < graph.switch_count(); ++to) {
    if (to == tree.root || !has_hosts(graph, to)) continue;
    for (const std::uint32_t lag : tree.path(lags, to)) {
      if (std::binary_search(members.begin(), members.end(), lag)) continue;
      errors.push_back({fmt::format("{} does not reach {} by {}: {} to {} is not a member",
                                    name(tree.root), name(to), vlan_text(assignment, *pvid),
                                    name(lags[lag].a), name(lags[lag].b)),
                        {}});
      break;
    }
  }
}

}  // namespace

Errors check_vlans(const Graph& graph, const Lags& lags, std::span<const SourceTree> trees,
                   const VlanAssignment& assignment) {
  Errors errors;
  check_loops(graph, lags, assignment, errors);
  for (const SourceTree& tree : trees) check_paths(graph, lags, tree, assignment, errors);
  return errors;
}

namespace {

using Followers = std::vector<std::vector<std::uint32_t>>;

// By direction of a lag (2b from a to b, 2b + 1 back): those that some path takes next.
Followers followers(const Lags& lags, std::span<const SourceTree> trees) {
  const auto direction = [&](std::uint32_t lag, std::uint32_t into) {
    return 2 * lag + (lags[lag].b == into ? 0U : 1U);
  };
  Followers after(2 * lags.all().size());
  for (const SourceTree& tree : trees) {
    for (std::uint32_t to = 0; to < tree.last_lag.size(); ++to) {
      const auto last = tree.last_lag[to];
      if (!last) continue;
      const std::uint32_t from = lags[*last].other(to);
      const auto before = tree.last_lag[from];
      if (before) after[direction(*before, from)].push_back(direction(*last, to));
    }
  }
  return after;
}

// Takes away what follows nobody until nothing is left, or a cycle.
bool has_cycle(const Followers& after) {
  std::vector<std::uint32_t> followed(after.size(), 0);
  for (const auto& next : after) {
    for (const std::uint32_t d : next) ++followed[d];
  }
  std::vector<std::uint32_t> first;
  for (std::uint32_t d = 0; d < after.size(); ++d) {
    if (followed[d] == 0) first.push_back(d);
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (const std::uint32_t d : after[first[i]]) {
      if (--followed[d] == 0) first.push_back(d);
    }
  }
  return first.size() != after.size();
}

}  // namespace

bool may_deadlock(const Lags& lags, std::span<const SourceTree> trees) {
  return has_cycle(followers(lags, trees));
}

}  // namespace ebb::forwarding
