// SPDX-License-Identifier: Apache-2.0
#include "grid_way.hpp"

#include "cover.hpp"
#include "layout.hpp"

namespace ebb::rules {

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

Layers GridWay::compact(std::uint32_t at) const {
  Layers layers;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    if (dimensions_[d].k > 1) add_dimension(at, d, layers);
  }
  return layers;
}

// Frames that have the coordinate of `at` are for the dimensions below.
void GridWay::add_dimension(std::uint32_t at, std::size_t d, Layers& layers) const {
  const Dimension& line = dimensions_[d];
  const Field& field = plan().fields()[d + 1];
  const std::uint32_t x = line.coordinate(at);
  Colouring colouring{field.bits, {}};
  colouring.output.assign(std::size_t{1} << field.bits, Colouring::kAny);
  for (std::uint32_t y = 0; y < line.k; ++y)
    colouring.output[y] = y == x ? Colouring::kNone : static_cast<std::int32_t>(step(x, y, line.k));
  for (const auto& layer : cover(colouring)) {
    layers.emplace_back();
    for (const auto& [cube, coordinate] : layer) {
      const std::uint32_t neighbour = at - x * line.stride + coordinate * line.stride;
      share({field.place(cube.value), field.place(cube.mask)}, links_to(at, neighbour),
            layers.back());
    }
  }
}

}  // namespace ebb::rules
