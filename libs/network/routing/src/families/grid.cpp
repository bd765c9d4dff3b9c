// SPDX-License-Identifier: Apache-2.0
#include "families/grid.hpp"

#include "schemes.hpp"

#include <algorithm>

namespace ebb::routing {

Grid::Grid(const Graph& graph) : graph_(graph) {
  const std::string& family = graph.origin().family;
  line_ = family == "torus" ? Line::ring : family == "mesh" ? Line::open : Line::complete;
  const Parameters parameters = parameters_of(graph);
  hosts_per_switch_ = static_cast<std::uint32_t>(parameters.integer("hosts"));
  const auto& dims = parameters.list("dims");
  const auto& parallel = parameters.list("parallel");
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::int64_t links = parallel.size() == 1 ? parallel.front() : parallel[d];
    dimensions_.push_back({static_cast<std::uint32_t>(dims[d]), static_cast<std::uint32_t>(links)});
  }
  coordinates_.reserve(graph.switch_count() * dimensions_.size());
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    std::uint32_t rest = s;
    for (const Dimension& dimension : dimensions_) {
      coordinates_.push_back(static_cast<std::uint32_t>(rest % dimension.k));
      rest /= dimension.k;
    }
  }
}

int Grid::dimensions() const {
  return static_cast<int>(std::count_if(dimensions_.begin(), dimensions_.end(),
                                        [](const Dimension& one) { return one.k > 1; }));
}

int Grid::ordered_channels() const {
  const bool dateline = std::any_of(dimensions_.begin(), dimensions_.end(),
                                    [this](const Dimension& one) { return needs_dateline(one.k); });
  return dateline ? 2 : 1;
}

std::uint64_t Grid::parallel_links() const {
  std::uint64_t links = 0;
  for (const Dimension& dimension : dimensions_) links += dimension.parallel;
  return links;
}

std::uint64_t Grid::widest_line() const {
  std::uint64_t widest = 0;
  for (const auto& [k, parallel] : dimensions_) {
    widest = std::max(widest, std::uint64_t{k - 1} * parallel);
  }
  return widest;
}

std::uint32_t Grid::neighbours(std::uint32_t x, std::uint32_t k) const {
  if (line_ == Line::complete || k < 3) return k - 1;
  if (line_ == Line::ring) return 2;
  return x == 0 || x + 1 == k ? 1 : 2;
}

std::uint32_t Grid::line_distance(std::uint32_t x, std::uint32_t y, std::uint32_t k) const {
  const std::uint32_t straight = x < y ? y - x : x - y;
  if (line_ == Line::complete) return straight == 0 ? 0 : 1;
  return line_ == Line::ring ? std::min(straight, k - straight) : straight;
}

int Grid::distance(std::uint32_t from, std::uint32_t to) const {
  return links(from, to, [this](std::uint32_t x, std::uint32_t y, std::uint32_t k) {
    return line_distance(x, y, k);
  });
}

void Grid::push(std::uint32_t from, std::uint32_t port, std::uint32_t parallel, std::uint32_t slot,
                Candidate as, Candidates& out) const {
  const auto outputs = graph_.outputs(NodeId{from});
  for (std::uint32_t m = 0; m < parallel; ++m) {
    as.channel = outputs[port + slot * parallel + m];
    out.push(as);
  }
}

void Grid::ring_step(std::uint32_t from, std::uint32_t port, const Dimension& dimension,
                     std::uint32_t x, std::uint32_t y, std::uint8_t vc, Candidates& out) const {
  const std::uint32_t k = dimension.k;
  const std::uint32_t up = x + 1 == k ? 0 : x + 1;
  const std::uint32_t down = x == 0 ? k - 1 : x - 1;
  const std::uint32_t upward = y > x ? y - x : y + k - x;
  const auto channel = [&](bool dateline_ahead) {
    return needs_dateline(k) && !dateline_ahead ? static_cast<std::uint8_t>(vc + 1) : vc;
  };
  if (2 * upward <= k)
    push(from, port, dimension.parallel, up > down ? 1 : 0, {{}, channel(x > y)}, out);
  if (2 * upward >= k)
    push(from, port, dimension.parallel, down > up ? 1 : 0, {{}, channel(x < y)}, out);
}

void Grid::line_step(std::uint32_t from, std::uint32_t port, const Dimension& dimension,
                     std::uint32_t x, std::uint32_t y, std::uint8_t vc, Candidates& out) const {
  if (line_ == Line::complete || dimension.k == 2) {
    push(from, port, dimension.parallel, y < x ? y : y - 1, {{}, vc}, out);
  } else if (line_ == Line::ring) {
    ring_step(from, port, dimension, x, y, vc, out);
  } else {
    push(from, port, dimension.parallel, y > x && x > 0 ? 1 : 0, {{}, vc}, out);
  }
}

void Grid::any_step(std::uint32_t from, std::uint32_t to, std::uint8_t vc, Candidates& out) const {
  const ChannelId* ports = graph_.outputs(NodeId{from}).data() + hosts_per_switch_;
  const std::uint32_t* const a = coordinates(from);
  const std::uint32_t* const b = coordinates(to);
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const auto [k, parallel] = dimensions_[d];
    if (a[d] != b[d]) {
      const std::uint32_t slot = b[d] < a[d] ? b[d] : b[d] - 1;
      for (std::uint32_t m = 0; m < parallel; ++m) out.push({ports[slot * parallel + m], vc});
    }
    ports += std::size_t{k - 1} * parallel;
  }
}

void Grid::ordered_step(std::uint32_t from, std::uint32_t to, std::uint8_t vc,
                        Candidates& out) const {
  std::uint32_t port = hosts_per_switch_;
  const std::uint32_t* const a = coordinates(from);
  const std::uint32_t* const b = coordinates(to);
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const Dimension& dimension = dimensions_[d];
    if (a[d] != b[d]) {
      return line_step(from, port, dimension, a[d], b[d], vc, out);
    }
    port += neighbours(a[d], dimension.k) * dimension.parallel;
  }
}

Grid::Place Grid::first_difference(std::uint32_t from, std::uint32_t to) const {
  std::uint32_t port = hosts_per_switch_;
  for (const auto& [k, parallel] : dimensions_) {
    const std::uint32_t x = from % k;
    const std::uint32_t y = to % k;
    if (x != y) return {x, y, k, port, parallel};
    port += neighbours(x, k) * parallel;
    from /= k;
    to /= k;
  }
  return {};
}

void Grid::leave(std::uint32_t from, const Place& place, std::uint32_t c, Candidate as,
                 Candidates& out) const {
  push(from, place.port, place.parallel, c < place.x ? c : c - 1, as, out);
}

}  // namespace ebb::routing
