// SPDX-License-Identifier: Apache-2.0
//
// Folded Clos: down where the leaf is below, else up. Every switch of a block reaches all of its
// sub-blocks, so any uplink will do.
//
// By destination (all details but compact) the uplink is chosen by the number of the other pod, or
// of the leaf in the same pod, and by that of the switch itself, so that not all choose alike.
//
// Compact: one rule for each sub-block below, and lowest one for each uplink that looks at the
// source alone: at its host field on a leaf, at the sub-block that it comes from above. That is one
// rule for each port.
//
// Detours: another uplink instead of an uplink; instead of a downlink a parallel one, or down to
// another sub-block, where a marked frame from above that belongs elsewhere bounces: up again by
// another uplink than it came from. Up and down are one class, and so are both after a mark.
//
// Diversions: the next uplink, anywhere on the way up.
#pragma once

#include "way.hpp"

#include <optional>

namespace ebb::forwarding {

class ClosWay : public Way {
 public:
  ClosWay(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] ChannelId next_compact(std::uint32_t at, Address source, Address destination,
                                       std::uint32_t to) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, Alternatives alternatives) const override;

  [[nodiscard]] std::optional<ChannelId> detour(std::uint32_t at, ChannelId output) const override;
  [[nodiscard]] std::vector<Rule> bounces(std::uint32_t at) const override;

  [[nodiscard]] bool has_injection() const override { return true; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  // The block of a level that a leaf is in; level 0 has the leaves themselves.
  [[nodiscard]] std::uint32_t block(std::uint32_t leaf, std::uint32_t level) const;
  [[nodiscard]] bool below(std::uint32_t at, std::uint32_t leaf) const;
  // Next to each other in port order, as are uplinks.
  [[nodiscard]] std::span<const ChannelId> links_down(std::uint32_t at, std::uint32_t leaf) const;
  [[nodiscard]] std::span<const ChannelId> uplinks(std::uint32_t at) const;
  [[nodiscard]] std::uint32_t uplink_for(std::uint32_t at, std::uint32_t leaf,
                                         std::uint32_t uplinks) const;
  // One leaf of each sub-block that the switch joins, ascending.
  [[nodiscard]] std::vector<std::uint32_t> leaves_of_sub_blocks(std::uint32_t at) const;
  // The next uplink that leads to another switch.
  [[nodiscard]] std::optional<ChannelId> bounce(std::uint32_t at, ChannelId uplink) const;
  // Of the sources below a switch, one for each uplink.
  [[nodiscard]] std::vector<Match> sources(std::uint32_t at) const;

  std::uint32_t half_ = 1;
  std::uint32_t levels_ = 2;
  std::vector<std::uint32_t> level_;       // by switch
  std::vector<std::uint32_t> leaf_below_;  // by switch: some leaf of its block
};

}  // namespace ebb::forwarding
