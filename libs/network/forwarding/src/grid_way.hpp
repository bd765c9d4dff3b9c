// SPDX-License-Identifier: Apache-2.0
//
// Flattened butterfly, mesh, torus: dimension by dimension, the highest first, so that all switches
// that differ in x1 alone share an output. On a ring the shorter way, and upwards when both are as
// long.
//
// Compact: the rules of a dimension look at its field alone, because those of higher dimensions
// have gone first. A flattened butterfly needs one for each coordinate but its own, which with the
// hosts is one for each port.
//
// Detours: a parallel link; on a flattened butterfly another coordinate of the same dimension, from
// which the right one is one link away; else a link of a lower dimension, because the way goes on
// in the higher one on another line. Links of the lowest dimension of a mesh or torus have none.
//
// Classes: one of a flattened butterfly or mesh. On a torus those that still have to pass the end
// of the ring are in class 1, so that no class goes all around. A mark raises them above.
//
// Diversions, on a flattened butterfly: in the highest dimension of three switches or more, and
// only for frames that have to move in it, so that they do not come straight back. In class 0, all
// others in 1.
#pragma once

#include "way.hpp"

#include <optional>
#include <string>

namespace ebb::forwarding {

class GridWay : public Way {
 public:
  GridWay(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] ChannelId next_compact(std::uint32_t at, Address source, Address destination,
                                       std::uint32_t to) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, Alternatives alternatives) const override;

  [[nodiscard]] std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                 Alternatives alternatives) const override;
  [[nodiscard]] std::uint8_t mark_shift() const override { return family_ == "torus" ? 2 : 1; }
  [[nodiscard]] bool detours_end() const override;
  [[nodiscard]] std::optional<ChannelId> detour(std::uint32_t at, ChannelId output) const override;

  [[nodiscard]] bool has_injection() const override { return family_ == "fbfly"; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  struct Dimension {
    std::uint32_t k = 0;
    std::uint32_t stride = 0;  // between the numbers of switches next to each other
    [[nodiscard]] std::uint32_t coordinate(std::uint32_t s) const { return s / stride % k; }
  };

  // The coordinate after x on the way to y.
  [[nodiscard]] std::uint32_t step(std::uint32_t x, std::uint32_t y, std::uint32_t k) const;
  [[nodiscard]] std::uint32_t next_switch(std::uint32_t at, std::uint32_t to) const;
  // Of the link that leaves x for y.
  [[nodiscard]] std::uint8_t cos_on_line(std::uint32_t x, std::uint32_t y, std::uint32_t k,
                                         Alternatives alternatives) const;
  // The dimension in which two switches differ first on the way; none: they are the same.
  [[nodiscard]] std::optional<std::size_t> dimension_between(std::uint32_t a,
                                                             std::uint32_t b) const;
  // That of diversions.
  [[nodiscard]] std::optional<std::size_t> dimension_to_divert() const;
  // Links to the other switches of a line, or in all lower dimensions.
  [[nodiscard]] std::vector<ChannelId> links_of(std::uint32_t at, std::size_t dimension) const;
  [[nodiscard]] std::vector<ChannelId> links_below(std::uint32_t at, std::size_t dimension) const;
  void add_dimension(std::uint32_t at, std::size_t d, Alternatives alternatives,
                     Layers& layers) const;

  std::string family_;
  std::vector<Dimension> dimensions_;
};

}  // namespace ebb::forwarding
