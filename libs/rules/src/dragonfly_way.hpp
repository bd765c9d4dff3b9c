// SPDX-License-Identifier: Apache-2.0
//
// Dragonfly: to another group over a global link of its own if it has one, else by the first switch
// of its group that has. So all switches of a group share an output everywhere else: at most one
// link to the global one, and one after it.
//
// Compact: a rule for each other switch of the group, and a cover of the numbers of the groups.
#pragma once

#include "way.hpp"

namespace ebb::rules {

class DragonflyWay : public Way {
 public:
  DragonflyWay(const Graph& graph, const AddressPlan& plan);

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] std::vector<ChannelId> next_to_all(std::uint32_t at) const override;
  [[nodiscard]] Layers compact(std::uint32_t at) const override;

 private:
  // Outputs towards every other group, by group.
  [[nodiscard]] std::vector<ChannelId> next_to_groups(std::uint32_t at) const;

  std::uint32_t a_ = 1;  // switches per group
};

}  // namespace ebb::rules
