// SPDX-License-Identifier: Apache-2.0
//
// How many switch-to-switch links a packet takes that meets no queue: by breadth-first search for
// schemes that are minimal; the shortest way over one global link for minimal on a Dragonfly, and
// for ugal, which sees empty queues and stays on it; the routing's own tables (links_ahead) for
// up-down-tree; the shortest of all that a walk gives for up-down-ways; for valiant, and for
// up-down between chassis, which is not always the shortest way, any number that a walk over all
// choices the routing leaves can give.
#pragma once

#include "world/world.hpp"

#include <cstdint>
#include <set>

namespace ebb::validate {

// Packets of one message may take different numbers of links.
[[nodiscard]] bool has_many_lengths(const Setting& setting);

// Refers to the world and its setting.
class PathLengths {
 public:
  PathLengths(const World& world, const Setting& setting);

  // Between the switches of two hosts.
  [[nodiscard]] std::set<int> of(std::uint32_t from, std::uint32_t to) const;

 private:
  const World& world_;
  const Setting& setting_;
  std::uint32_t group_size_ = 1;  // switches per group of a Dragonfly
};

}  // namespace ebb::validate
