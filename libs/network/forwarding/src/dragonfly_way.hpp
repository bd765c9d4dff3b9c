// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly: to another group over a global link of its own if it has one, else by the first switch
// of its group that has. So all switches of a group share an output everywhere else: at most one
// link to the global one, and one after it.
//
// Compact: a rule for each other switch of the group, and a cover of the numbers of the groups.
//
// Detours: another own global link instead of a global one, another switch of the group instead of
// a local link. None of these ways comes back: groups other than the first and the last are crossed
// once, and a switch without a global link of its own is nobody's gate.
//
// Classes ascend along l0 g0 l1, and after a mark l1 g1 l2. With diversions at the source (Section
// V-E of the paper): g0 for the diverted, then l0 g1 l1.
#pragma once

#include "way.hpp"

namespace ebb::forwarding {

class DragonflyWay : public Way {
 public:
  DragonflyWay(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] std::vector<ChannelId> next_to_all(std::uint32_t at) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, Alternatives alternatives) const override;

  [[nodiscard]] std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                 Alternatives alternatives) const override;
  [[nodiscard]] std::optional<ChannelId> detour(std::uint32_t at, ChannelId output) const override;

  [[nodiscard]] bool has_injection() const override { return true; }
  [[nodiscard]] bool diverts(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] Layers diversions(std::uint32_t at, Detail detail) const override;

 private:
  // Outputs towards every other group, by group.
  [[nodiscard]] std::vector<ChannelId> next_to_groups(std::uint32_t at) const;
  [[nodiscard]] bool is_global(ChannelId channel) const;
  // The links of a switch to other groups, or to other switches of its own.
  [[nodiscard]] std::vector<ChannelId> links(std::uint32_t at, bool global) const;
  [[nodiscard]] std::uint8_t cos_to_group(ChannelId output, Alternatives alternatives) const;

  std::uint32_t a_ = 1;  // switches per group
};

}  // namespace ebb::forwarding
