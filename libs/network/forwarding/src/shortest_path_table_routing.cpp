// SPDX-License-Identifier: Apache-2.0
//
// Any graph: the first port on a shortest path.
//
// Compact: a ternary minimisation of the switch numbers.
//
// Fast reroutes: the first other port from which no default path comes back. As most frames then
// leave by the same port, most other links may sleep: where every switch has a link to every other,
// all but those to the first switch.
//
// Classes: the links that are left, so that they fall along the path; after a reroute as many
// classes higher as the longest path has links. Beyond the eight that there are, all are in the
// highest.
#include "table_routing.hpp"
#include "ternary_minimisation.hpp"

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace ebb::forwarding {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

class ShortestPathTableRouting : public TableRouting {
 public:
  using TableRouting::TableRouting;

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] std::vector<ChannelId> next_to_all(std::uint32_t at) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, BackupPaths backup_paths) const override;

  [[nodiscard]] std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                 BackupPaths backup_paths) const override;
  [[nodiscard]] std::uint8_t rerouted_shift() const override;
  [[nodiscard]] std::optional<ChannelId> fast_reroute(std::uint32_t at,
                                                      ChannelId output) const override;

 private:
  // The first port on a shortest path, when the links from everywhere to that switch are known.
  [[nodiscard]] ChannelId next(std::uint32_t at, std::span<const std::uint32_t> links_left) const;
  // Links from everywhere to an access switch, by switch; worked out when first asked for.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& links_left() const;
  [[nodiscard]] bool comes_back(std::uint32_t at, ChannelId output, ChannelId backup) const;

  mutable std::once_flag once_;
  mutable std::vector<std::vector<std::uint32_t>> links_left_;  // by access switch in order
  mutable std::uint32_t longest_ = 1;
  // Links between switches from one to every other.
  [[nodiscard]] std::vector<std::uint32_t> distances(std::uint32_t from) const;
};

std::vector<std::uint32_t> ShortestPathTableRouting::distances(std::uint32_t from) const {
  std::vector<std::uint32_t> links(graph().switch_count(), kFar);
  std::vector<std::uint32_t> queue = {from};
  links[from] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const ChannelId channel : graph().outputs(graph().switch_node(queue[i]))) {
      const auto next = graph().target(channel);
      if (graph().is_host(next) || links[index(next)] != kFar) continue;
      links[index(next)] = links[queue[i]] + 1;
      queue.push_back(index(next));
    }
  }
  return links;
}

ChannelId ShortestPathTableRouting::next(std::uint32_t at, std::uint32_t to) const {
  return next(at, distances(to));
}

ChannelId ShortestPathTableRouting::next(std::uint32_t at,
                                         std::span<const std::uint32_t> links_left) const {
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    const auto neighbour = graph().target(channel);
    if (!graph().is_host(neighbour) && links_left[index(neighbour)] + 1 == links_left[at])
      return channel;
  }
  return {};
}

// One search from each neighbour instead of one from each destination.
std::vector<ChannelId> ShortestPathTableRouting::next_to_all(std::uint32_t at) const {
  const auto destinations = plan().access_switches();
  std::vector<ChannelId> next(destinations.size());
  std::vector<std::uint32_t> least(destinations.size(), kFar);
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    if (graph().is_host(graph().target(channel))) continue;
    const std::vector<std::uint32_t> links = distances(index(graph().target(channel)));
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      if (links[destinations[i]] >= least[i]) continue;
      least[i] = links[destinations[i]];
      next[i] = channel;
    }
  }
  return next;
}

// Values of one output and several classes need a rule for each: minimised output by output.
Layers ShortestPathTableRouting::compact(std::uint32_t at, BackupPaths backup_paths) const {
  const auto destinations = plan().access_switches();
  const std::vector<ChannelId> next = next_to_all(at);
  std::vector<std::optional<NextHop>> next_hops(next.size());
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    if (destinations[i] != at)
      next_hops[i] = NextHop{next[i], cos(at, destinations[i], next[i], backup_paths)};
  }
  return minimised(plan().fields()[1], next_hops);
}

const std::vector<std::vector<std::uint32_t>>& ShortestPathTableRouting::links_left() const {
  std::call_once(once_, [this] {
    for (const std::uint32_t to : plan().access_switches()) {
      const auto& links = links_left_.emplace_back(distances(to));
      longest_ = std::max(longest_, *std::max_element(links.begin(), links.end()));
    }
  });
  return links_left_;
}

std::uint8_t ShortestPathTableRouting::cos(std::uint32_t at, std::uint32_t to, ChannelId /*output*/,
                                           BackupPaths backup_paths) const {
  if (backup_paths == BackupPaths::none) return 0;
  const auto access = plan().access_switches();
  const auto found = std::lower_bound(access.begin(), access.end(), to);
  const std::uint32_t left = links_left()[static_cast<std::size_t>(found - access.begin())][at];
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(left - 1, kMostClass));
}

std::uint8_t ShortestPathTableRouting::rerouted_shift() const {
  (void)links_left();
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(longest_, kMostClass));
}

bool ShortestPathTableRouting::comes_back(std::uint32_t at, ChannelId output,
                                          ChannelId backup) const {
  for (const auto& left : links_left()) {
    if (left[at] == 0 || next(at, left) != output) continue;
    std::uint32_t on = index(graph().target(backup));
    while (left[on] > 0 && on != at) on = index(graph().target(next(on, left)));
    if (on == at) return true;
  }
  return false;
}

std::optional<ChannelId> ShortestPathTableRouting::fast_reroute(std::uint32_t at,
                                                                ChannelId output) const {
  for (const ChannelId other : graph().outputs(graph().switch_node(at))) {
    const bool is_another = other != output && !graph().is_host(graph().target(other));
    if (is_another && !comes_back(at, output, other)) return other;
  }
  return std::nullopt;
}

}  // namespace

MadeTableRouting make_shortest_path_table_routing(const Graph& graph, const AddressPlan& plan) {
  return std::make_unique<ShortestPathTableRouting>(graph, plan);
}

}  // namespace ebb::forwarding
