// SPDX-License-Identifier: Apache-2.0
#include "emptied.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace ebb::plan {
namespace {

using topology::Graph;
using topology::NodeId;

constexpr std::uint32_t kUnknown = std::numeric_limits<std::uint32_t>::max();

// Sums of equal shares may miss a whole number by a rounding error.
constexpr double kRounding = 1e-9;

class Emptying {
 public:
  Emptying(const Graph& graph, std::int64_t hosts, Ratio load)
      : graph_(graph),
        hosts_(graph.switch_count(), 0),
        tier_(graph.switch_count(), kUnknown),
        demand_(graph.switch_count(), 0),
        emptied_(graph.switch_count(), false) {
    attach_hosts(hosts, load);
    number_tiers();
  }

  [[nodiscard]] std::vector<bool> run() {
    std::uint32_t top = 0;
    for (const std::uint32_t tier : tier_) top = std::max(top, tier == kUnknown ? 0 : tier);
    for (std::uint32_t tier = 1; tier <= top; ++tier) {
      empty_tier(tier);
      spread_demand(tier);
    }
    if (!survives_any_failure()) emptied_.assign(emptied_.size(), false);
    return std::move(emptied_);
  }

 private:
  // Links from a switch to the awake ones of the tier above, by switch.
  using Uplinks = std::map<std::uint32_t, std::int64_t>;

  template <class Visit>  // (number of the switch at the other end)
  void for_each_neighbour(std::uint32_t of, Visit visit) const {
    for (const auto channel : graph_.outputs(graph_.switch_node(of))) {
      const NodeId other = graph_.target(channel);
      if (!graph_.is_host(other)) visit(index(other));
    }
  }

  void attach_hosts(std::int64_t hosts, Ratio load) {
    const auto connected =
        static_cast<std::uint32_t>(std::min<std::int64_t>(hosts, graph_.host_count()));
    for (std::uint32_t h = 0; h < connected; ++h) {
      for (const auto channel : graph_.outputs(graph_.host_node(h)))
        ++hosts_[index(graph_.target(channel))];
    }
    for (std::size_t s = 0; s < hosts_.size(); ++s)
      demand_[s] = static_cast<double>(hosts_[s]) * load.to_double();
  }

  void number_tiers() {
    std::vector<std::uint32_t> queue;
    for (std::uint32_t s = 0; s < graph_.switch_count(); ++s) {
      if (hosts_[s] == 0) continue;
      tier_[s] = 0;
      queue.push_back(s);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const std::uint32_t at = queue[next];
      for_each_neighbour(at, [&](std::uint32_t other) {
        if (tier_[other] != kUnknown) return;
        tier_[other] = tier_[at] + 1;
        queue.push_back(other);
      });
    }
  }

  [[nodiscard]] Uplinks uplinks(std::uint32_t of) const {
    Uplinks up;
    for_each_neighbour(of, [&](std::uint32_t other) {
      if (tier_[other] == tier_[of] + 1 && !emptied_[other]) ++up[other];
    });
    return up;
  }

  // Any one of the switches above may fail.
  [[nodiscard]] bool has_spare(std::uint32_t at, const Uplinks& up) const {
    if (up.size() < 2) return false;
    std::int64_t links = 0;
    std::int64_t most = 0;
    for (const auto& [other, count] : up) {
      links += count;
      most = std::max(most, count);
    }
    return static_cast<double>(links - most) >= std::ceil(demand_[at] - kRounding);
  }

  [[nodiscard]] bool can_be_emptied(std::uint32_t which) const {
    bool can = true;
    for_each_neighbour(which, [&](std::uint32_t other) {
      if (tier_[other] == tier_[which]) can = false;
      if (!can || emptied_[other] || tier_[other] + 1 != tier_[which]) return;
      Uplinks left = uplinks(other);
      left.erase(which);
      can = has_spare(other, left);
    });
    return can;
  }

  void empty_tier(std::uint32_t tier) {
    for (std::uint32_t s = graph_.switch_count(); s-- > 0;) {
      if (tier_[s] == tier && can_be_emptied(s)) emptied_[s] = true;
    }
  }

  // From the tier below.
  void spread_demand(std::uint32_t tier) {
    for (std::uint32_t s = 0; s < graph_.switch_count(); ++s) {
      if (tier_[s] + 1 != tier || emptied_[s]) continue;
      const Uplinks up = uplinks(s);
      std::int64_t links = 0;
      for (const auto& [other, count] : up) links += count;
      for (const auto& [other, count] : up)
        demand_[other] += demand_[s] * static_cast<double>(count) / static_cast<double>(links);
    }
  }

  // Whether the awake switches with hosts reach each other without any one switch that has none:
  // no such switch is a cut vertex (Hopcroft and Tarjan 1973, without recursion).
  [[nodiscard]] bool survives_any_failure() const;

  const Graph& graph_;
  std::vector<std::int64_t> hosts_;
  std::vector<std::uint32_t> tier_;
  std::vector<double> demand_;  // in links
  std::vector<bool> emptied_;
};

// A switch on the path of the depth-first search.
struct Visited {
  std::uint32_t node = 0;
  std::size_t next = 0;  // of its outputs
};

bool Emptying::survives_any_failure() const {
  const std::uint32_t count = graph_.switch_count();
  const auto first = std::find_if(hosts_.begin(), hosts_.end(), [](auto h) { return h > 0; });
  if (first == hosts_.end()) return true;
  std::vector<std::uint32_t> order(count, kUnknown);
  std::vector<std::uint32_t> low(count, kUnknown);
  std::vector<std::int64_t> below = hosts_;  // hosts in the subtree of the search
  std::vector<Visited> path = {{static_cast<std::uint32_t>(first - hosts_.begin()), 0}};
  std::uint32_t seen = 0;
  order[path[0].node] = low[path[0].node] = seen++;
  bool survives = true;
  while (!path.empty()) {
    Visited& at = path.back();
    const std::uint32_t node = at.node;
    const auto outputs = graph_.outputs(graph_.switch_node(node));
    if (at.next < outputs.size()) {
      const NodeId target = graph_.target(outputs[at.next++]);
      if (graph_.is_host(target) || emptied_[index(target)]) continue;
      const std::uint32_t other = index(target);
      low[node] = std::min(low[node], order[other]);
      if (order[other] != kUnknown) continue;
      order[other] = low[other] = seen++;
      path.push_back({other, 0});
      continue;
    }
    path.pop_back();
    if (path.empty()) break;
    const std::uint32_t parent = path.back().node;
    const bool is_cut = hosts_[parent] == 0 && low[node] >= order[parent];
    if (is_cut && below[node] > 0) survives = false;
    low[parent] = std::min(low[parent], low[node]);
    below[parent] += below[node];
  }
  for (std::uint32_t s = 0; s < count; ++s)
    survives = survives && (hosts_[s] == 0 || order[s] != kUnknown);
  return survives;
}

}  // namespace

std::vector<bool> emptied_switches(const Graph& graph, std::int64_t hosts, Ratio load) {
  return Emptying(graph, hosts, load).run();
}

}  // namespace ebb::plan
