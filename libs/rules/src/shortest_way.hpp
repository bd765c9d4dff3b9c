// SPDX-License-Identifier: Apache-2.0
//
// Any graph: the first port on a shortest path.
//
// Compact: a cover of the switch numbers.
#pragma once

#include "way.hpp"

namespace ebb::rules {

class ShortestWay : public Way {
 public:
  using Way::Way;

  [[nodiscard]] ChannelId next(std::uint32_t at, std::uint32_t to) const override;
  [[nodiscard]] std::vector<ChannelId> next_to_all(std::uint32_t at) const override;
  [[nodiscard]] Layers compact(std::uint32_t at) const override;

 private:
  // Links between switches from one to every other.
  [[nodiscard]] std::vector<std::uint32_t> distances(std::uint32_t from) const;
};

}  // namespace ebb::rules
