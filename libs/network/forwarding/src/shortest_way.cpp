// SPDX-License-Identifier: Apache-2.0
#include "shortest_way.hpp"

#include "covered.hpp"

#include <algorithm>
#include <limits>

namespace ebb::forwarding {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<std::uint32_t> ShortestWay::distances(std::uint32_t from) const {
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

ChannelId ShortestWay::next(std::uint32_t at, std::uint32_t to) const {
  return next(at, distances(to));
}

ChannelId ShortestWay::next(std::uint32_t at, std::span<const std::uint32_t> links_left) const {
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    const auto neighbour = graph().target(channel);
    if (!graph().is_host(neighbour) && links_left[index(neighbour)] + 1 == links_left[at])
      return channel;
  }
  return {};
}

// One search from each neighbour instead of one from each destination.
std::vector<ChannelId> ShortestWay::next_to_all(std::uint32_t at) const {
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

// Values of one output and several classes need a rule for each: covered output by output.
Layers ShortestWay::compact(std::uint32_t at, Alternatives alternatives) const {
  const auto destinations = plan().access_switches();
  const std::vector<ChannelId> next = next_to_all(at);
  std::vector<std::optional<Way::Step>> steps(next.size());
  for (std::size_t i = 0; i < destinations.size(); ++i) {
    if (destinations[i] != at)
      steps[i] = Way::Step{next[i], cos(at, destinations[i], next[i], alternatives)};
  }
  return covered(plan().fields()[1], steps);
}

const std::vector<std::vector<std::uint32_t>>& ShortestWay::links_left() const {
  std::call_once(once_, [this] {
    for (const std::uint32_t to : plan().access_switches()) {
      const auto& links = links_left_.emplace_back(distances(to));
      longest_ = std::max(longest_, *std::max_element(links.begin(), links.end()));
    }
  });
  return links_left_;
}

std::uint8_t ShortestWay::cos(std::uint32_t at, std::uint32_t to, ChannelId /*output*/,
                              Alternatives alternatives) const {
  if (alternatives == Alternatives::none) return 0;
  const auto access = plan().access_switches();
  const auto found = std::lower_bound(access.begin(), access.end(), to);
  const std::uint32_t left = links_left()[static_cast<std::size_t>(found - access.begin())][at];
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(left - 1, kMostClass));
}

std::uint8_t ShortestWay::mark_shift() const {
  (void)links_left();
  return static_cast<std::uint8_t>(std::min<std::uint32_t>(longest_, kMostClass));
}

bool ShortestWay::comes_back(std::uint32_t at, ChannelId output, ChannelId instead) const {
  for (const auto& left : links_left()) {
    if (left[at] == 0 || next(at, left) != output) continue;
    std::uint32_t on = index(graph().target(instead));
    while (left[on] > 0 && on != at) on = index(graph().target(next(on, left)));
    if (on == at) return true;
  }
  return false;
}

std::optional<ChannelId> ShortestWay::detour(std::uint32_t at, ChannelId output) const {
  const auto outputs = graph().outputs(graph().switch_node(at));
  for (auto other = link_after(outputs, output); other && *other != output;
       other = link_after(outputs, *other)) {
    if (!graph().is_host(graph().target(*other)) && !comes_back(at, output, *other)) return other;
  }
  return std::nullopt;
}

}  // namespace ebb::forwarding
