// SPDX-License-Identifier: Apache-2.0
//
// Frames between hosts by the tables, when some links sleep: whether they arrive, and how.
#pragma once

#include "ebb/rules/lookup.hpp"
#include "ebb/rules/table.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::fabric {

class Reach {
 public:
  // Keeps references to all three.
  Reach(const topology::Graph& graph, const rules::AddressPlan& plan,
        std::span<const rules::Table> tables);

  struct Way {
    std::vector<topology::ChannelId> channels;  // between switches
    std::vector<topology::ChannelId> dodged;    // outputs that slept
  };

  // Nothing when the frame does not arrive. `asleep` by link.
  [[nodiscard]] std::optional<Way> walk(std::uint32_t from_host, std::uint32_t to_host,
                                        const std::vector<bool>& asleep) const;
  [[nodiscard]] bool everyone(const std::vector<bool>& asleep) const;

 private:
  [[nodiscard]] std::optional<topology::ChannelId> step(rules::Frame& frame,
                                                        const std::vector<bool>& asleep,
                                                        Way& way) const;

  const topology::Graph& graph_;
  const rules::AddressPlan& plan_;
  std::vector<rules::Lookup> lookups_;
};

}  // namespace ebb::fabric
