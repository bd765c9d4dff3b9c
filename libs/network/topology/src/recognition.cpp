// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/recognition.hpp"

#include "ebb/topology/metrics.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ebb::topology {
namespace {

std::vector<bool> serve_hosts(const Graph& graph) {
  std::vector<bool> serves;
  serves.reserve(graph.switch_count());
  for (const std::uint32_t height : switch_heights(graph)) serves.push_back(height == 0);
  return serves;
}

// Links between two switches, by their numbers, the lower first.
using Bundles = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

Bundles bundles_of(const Graph& graph) {
  Bundles bundles;
  for (const Link& link : graph.links()) {
    if (!graph.connects_switches(link)) continue;
    const auto [low, high] = std::minmax({index(link.a), index(link.b)});
    ++bundles[{low, high}];
  }
  return bundles;
}

// The fewest and the most links of a bundle.
std::pair<std::uint32_t, std::uint32_t> sizes_of(const Bundles& bundles) {
  const auto [least, most] =
      std::minmax_element(bundles.begin(), bundles.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; });
  return {least->second, most->second};
}

std::string count_text(std::uint32_t least, std::uint32_t most) {
  const std::string text =
      least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  return text + (most == 1 ? " link" : " links");
}

// Every two switches are joined, and all of them have hosts.
std::optional<Recognised> complete_graph(const Graph& graph) {
  const std::vector<bool> serves = serve_hosts(graph);
  const std::uint64_t n = graph.switch_count();
  if (n < 2 || std::find(serves.begin(), serves.end(), false) != serves.end()) return std::nullopt;
  const Bundles bundles = bundles_of(graph);
  if (bundles.size() != n * (n - 1) / 2) return std::nullopt;
  const auto [least, most] = sizes_of(bundles);
  return Recognised{"complete", "complete graph of " + std::to_string(n) + " switches, " +
                                    count_text(least, most) + " between each two"};
}

// Switches that are joined, with one of them standing for each part.
class Parts {
 public:
  explicit Parts(std::uint32_t switches) : parent_(switches) {
    for (std::uint32_t s = 0; s < switches; ++s) parent_[s] = s;
  }
  std::uint32_t find(std::uint32_t s) {
    while (parent_[s] != s) s = parent_[s] = parent_[parent_[s]];
    return s;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

// Parts with hosts, when nothing higher than that is looked at.
std::size_t parts_up_to(const Graph& graph, const std::vector<std::uint32_t>& height,
                        std::uint32_t most) {
  Parts parts(graph.switch_count());
  for (const Link& link : graph.links()) {
    if (graph.connects_switches(link) && height[index(link.a)] <= most &&
        height[index(link.b)] <= most)
      parts.join(index(link.a), index(link.b));
  }
  std::set<std::uint32_t> found;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    if (height[s] == 0) found.insert(parts.find(s));
  }
  return found.size();
}

}  // namespace

std::optional<LeafSpine> leaf_spine(const Graph& graph) {
  LeafSpine found;
  const std::vector<bool> serves = serve_hosts(graph);
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    (serves[s] ? found.leaves : found.spines).push_back(s);
  if (found.leaves.size() < 2 || found.spines.empty()) return std::nullopt;
  const Bundles bundles = bundles_of(graph);
  const bool between_levels = std::all_of(bundles.begin(), bundles.end(), [&](const auto& bundle) {
    return serves[bundle.first.first] != serves[bundle.first.second];
  });
  if (!between_levels || bundles.size() != found.leaves.size() * found.spines.size())
    return std::nullopt;
  std::tie(found.fewest_parallel, found.most_parallel) = sizes_of(bundles);
  return found;
}

std::optional<Recognised> recognise(const Graph& graph) {
  if (graph.origin().family != "imported") return std::nullopt;
  if (const auto found = leaf_spine(graph)) {
    return Recognised{"leaf-spine", "leaf-spine of " + std::to_string(found->leaves.size()) +
                                        " leaves and " + std::to_string(found->spines.size()) +
                                        " spines, " +
                                        count_text(found->fewest_parallel, found->most_parallel) +
                                        " from each leaf to each spine"};
  }
  return complete_graph(graph);
}

std::uint32_t fewest_links_that_join_hosts(const Graph& graph) {
  const std::vector<std::uint32_t> height = switch_heights(graph);
  auto switches = static_cast<std::size_t>(std::count(height.begin(), height.end(), 0U));
  if (switches < 2) return 0;
  std::uint32_t highest = 0;
  for (const std::uint32_t one : height) highest = one == kFar ? highest : std::max(highest, one);
  // A network that is not connected has several parts to the end.
  for (std::uint32_t d = 0; d <= highest; ++d) {
    const std::size_t parts = parts_up_to(graph, height, d);
    if (d > 0) switches += parts;
    if (parts == 1) break;
  }
  return static_cast<std::uint32_t>(switches - 1);
}

bool joins_hosts_without(const Graph& graph, LinkId cut) {
  Parts parts(graph.switch_count());
  for (std::uint32_t l = 0; l < graph.link_count(); ++l) {
    const Link& link = graph.link(LinkId{l});
    if (LinkId{l} != cut && graph.connects_switches(link)) parts.join(index(link.a), index(link.b));
  }
  const std::vector<bool> serves = serve_hosts(graph);
  std::set<std::uint32_t> found;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    if (serves[s]) found.insert(parts.find(s));
  }
  return found.size() <= 1;
}

}  // namespace ebb::topology
