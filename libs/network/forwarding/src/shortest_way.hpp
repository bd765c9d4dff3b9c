// SPDX-License-Identifier: Apache-2.0
//
// Any graph: the first port on a shortest path.
//
// Compact: a cover of the switch numbers.
//
// Detours: the first other port, counted from that one on, from which no default way comes back.
//
// Classes: the links that are left, so that they fall along the way; after a mark as many classes
// higher as the longest way has links. Beyond the eight that there are, all are in the highest.
#pragma once

#include "way.hpp"

#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace ebb::forwarding {

class ShortestWay : public Way {
 public:
  using Way::Way;

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] std::vector<ChannelId> next_to_all(std::uint32_t at) const override;
  [[nodiscard]] Layers compact(std::uint32_t at, Alternatives alternatives) const override;

  [[nodiscard]] std::uint8_t cos(std::uint32_t at, std::uint32_t to, ChannelId output,
                                 Alternatives alternatives) const override;
  [[nodiscard]] std::uint8_t mark_shift() const override;
  [[nodiscard]] std::optional<ChannelId> detour(std::uint32_t at, ChannelId output) const override;

 private:
  // The first port on a shortest path, when the links from everywhere to that switch are known.
  [[nodiscard]] ChannelId next(std::uint32_t at, std::span<const std::uint32_t> links_left) const;
  // Links from everywhere to an access switch, by switch; worked out when first asked for.
  [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& links_left() const;
  [[nodiscard]] bool comes_back(std::uint32_t at, ChannelId output, ChannelId instead) const;

  mutable std::once_flag once_;
  mutable std::vector<std::vector<std::uint32_t>> links_left_;  // by access switch in order
  mutable std::uint32_t longest_ = 1;
  // Links between switches from one to every other.
  [[nodiscard]] std::vector<std::uint32_t> distances(std::uint32_t from) const;
};

}  // namespace ebb::forwarding
