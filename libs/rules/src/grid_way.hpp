// SPDX-License-Identifier: Apache-2.0
//
// Flattened butterfly, mesh, torus: dimension by dimension, the highest first, so that all switches
// that differ in x1 alone share an output. On a ring the shorter way, and upwards when both are as
// long.
//
// Compact: the rules of a dimension look at its field alone, because those of higher dimensions
// have gone first. A flattened butterfly needs one for each coordinate but its own, which with the
// hosts is one for each port.
#pragma once

#include "way.hpp"

#include <string>

namespace ebb::rules {

class GridWay : public Way {
 public:
  GridWay(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] ChannelId next_compact(std::uint32_t at, Address source, Address destination,
                                       std::uint32_t to) const override;
  [[nodiscard]] Layers compact(std::uint32_t at) const override;

 private:
  struct Dimension {
    std::uint32_t k = 0;
    std::uint32_t stride = 0;  // between the numbers of switches next to each other
    [[nodiscard]] std::uint32_t coordinate(std::uint32_t s) const { return s / stride % k; }
  };

  // The coordinate after x on the way to y.
  [[nodiscard]] std::uint32_t step(std::uint32_t x, std::uint32_t y, std::uint32_t k) const;
  [[nodiscard]] std::uint32_t next_switch(std::uint32_t at, std::uint32_t to) const;
  void add_dimension(std::uint32_t at, std::size_t d, Layers& layers) const;

  std::string family_;
  std::vector<Dimension> dimensions_;
};

}  // namespace ebb::rules
