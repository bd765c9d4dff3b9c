// SPDX-License-Identifier: Apache-2.0
#include "grid_way.hpp"

#include "cover.hpp"
#include "layout.hpp"

#include <algorithm>

namespace ebb::forwarding {

GridWay::GridWay(const Graph& graph, const AddressPlan& plan)
    : Way(graph, plan), family_(graph.origin().family) {
  std::uint32_t stride = 1;
  const Parameters parameters = parameters_of(graph);
  for (const std::int64_t k : parameters.list("dims")) {
    dimensions_.push_back({static_cast<std::uint32_t>(k), stride});
    stride *= static_cast<std::uint32_t>(k);
  }
}

std::uint32_t GridWay::step(std::uint32_t x, std::uint32_t y, std::uint32_t k) const {
  if (family_ == "fbfly") return y;
  if (family_ == "mesh") return y > x ? x + 1 : x - 1;
  const std::uint32_t upward = (y + k - x) % k;
  return 2 * upward <= k ? (x + 1) % k : (x + k - 1) % k;
}

std::uint32_t GridWay::next_switch(std::uint32_t at, std::uint32_t to) const {
  for (auto one = dimensions_.rbegin(); one != dimensions_.rend(); ++one) {
    const std::uint32_t x = one->coordinate(at);
    const std::uint32_t y = one->coordinate(to);
    if (x != y) return at - x * one->stride + step(x, y, one->k) * one->stride;
  }
  return at;
}

ChannelId GridWay::next(std::uint32_t at, std::uint32_t to) const {
  return links_to(at, next_switch(at, to)).front();
}

ChannelId GridWay::next_compact(std::uint32_t at, Address /*source*/, Address destination,
                                std::uint32_t to) const {
  return shared(links_to(at, next_switch(at, to)), destination);
}

std::uint8_t GridWay::cos_on_line(std::uint32_t x, std::uint32_t y, std::uint32_t k,
                                  Alternatives alternatives) const {
  if (alternatives == Alternatives::injection) return 1;
  if (alternatives == Alternatives::none || family_ != "torus") return 0;
  const bool upward = step(x, y, k) == (x + 1) % k;
  return (upward ? y < x : y > x) ? 1 : 0;
}

std::uint8_t GridWay::cos(std::uint32_t at, std::uint32_t to, ChannelId /*output*/,
                          Alternatives alternatives) const {
  const auto d = dimension_between(at, to);
  if (!d) return 0;
  const Dimension& line = dimensions_[*d];
  return cos_on_line(line.coordinate(at), line.coordinate(to), line.k, alternatives);
}

std::optional<std::size_t> GridWay::dimension_between(std::uint32_t a, std::uint32_t b) const {
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].coordinate(a) != dimensions_[d].coordinate(b)) return d;
  }
  return std::nullopt;
}

std::vector<ChannelId> GridWay::links_of(std::uint32_t at, std::size_t dimension) const {
  std::vector<ChannelId> found;
  for (const ChannelId channel : graph().outputs(graph().switch_node(at))) {
    const auto next = graph().target(channel);
    if (!graph().is_host(next) && dimension_between(at, index(next)) == dimension)
      found.push_back(channel);
  }
  return found;
}

std::vector<ChannelId> GridWay::links_below(std::uint32_t at, std::size_t dimension) const {
  std::vector<ChannelId> found;
  for (std::size_t d = dimension; d-- > 0;) {
    const std::vector<ChannelId> links = links_of(at, d);
    found.insert(found.end(), links.begin(), links.end());
  }
  return found;
}

// The link after a detour in the same line makes the coordinate right, and later links do not touch
// it. A line of two has no such detour, and one in a lower dimension would be taken back.
bool GridWay::detours_end() const {
  return family_ == "fbfly" && std::none_of(dimensions_.begin(), dimensions_.end(),
                                            [](const Dimension& line) { return line.k == 2; });
}

std::optional<ChannelId> GridWay::detour(std::uint32_t at, ChannelId output) const {
  const std::uint32_t next = index(graph().target(output));
  if (const auto parallel = link_after(links_to(at, next), output)) return parallel;
  const std::size_t dimension = *dimension_between(at, next);
  if (family_ == "fbfly") {
    // By the first switch of the line, so that all links but its own could sleep at once.
    for (const ChannelId other : links_of(at, dimension)) {
      if (graph().target(other) != graph().target(output)) return other;
    }
  }
  const std::vector<ChannelId> below = links_below(at, dimension);
  if (below.empty()) return std::nullopt;
  return below[index(output) % below.size()];
}

std::optional<std::size_t> GridWay::dimension_to_divert() const {
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].k > 2) return d;
  }
  return std::nullopt;
}

bool GridWay::diverts(std::uint32_t at, std::uint32_t to) const {
  const auto d = dimension_between(at, to);
  return d && has_injection() && d == dimension_to_divert();
}

Layers GridWay::diversions(std::uint32_t at, Detail /*detail*/) const {
  const auto d = dimension_to_divert();
  if (!d) return {};
  return {divert_hosts(at, links_of(at, *d))};
}

Layers GridWay::compact(std::uint32_t at, Alternatives alternatives) const {
  Layers layers;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].k > 1) add_dimension(at, d, alternatives, layers);
  }
  return layers;
}

// Frames that have the coordinate of `at` are for the dimensions below.
void GridWay::add_dimension(std::uint32_t at, std::size_t d, Alternatives alternatives,
                            Layers& layers) const {
  const Dimension& line = dimensions_[d];
  const Field& field = plan().fields()[d + 1];
  const std::uint32_t x = line.coordinate(at);
  const Use use = d == dimension_to_divert() ? Use::conditional : Use::always;
  Colouring colouring{field.bits, {}};
  colouring.output.assign(std::size_t{1} << field.bits, Colouring::kAny);
  const auto colour = [&](std::uint32_t y) {  // coordinate and class
    return static_cast<std::int32_t>(2 * step(x, y, line.k) +
                                     cos_on_line(x, y, line.k, alternatives));
  };
  for (std::uint32_t y = 0; y < line.k; ++y)
    colouring.output[y] = y == x ? Colouring::kNone : colour(y);
  for (const auto& layer : cover(colouring)) {
    layers.emplace_back();
    for (const auto& [cube, coloured] : layer) {
      const std::uint32_t neighbour = at - x * line.stride + coloured / 2 * line.stride;
      std::vector<Rule> rules;
      share({field.place(cube.value), field.place(cube.mask)}, links_to(at, neighbour), rules);
      for (Rule& rule : rules) {
        rule.use = use;
        rule.cos = static_cast<std::uint8_t>(coloured % 2);
        layers.back().push_back(rule);
      }
    }
  }
}

}  // namespace ebb::forwarding
