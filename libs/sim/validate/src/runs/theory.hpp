// SPDX-License-Identifier: Apache-2.0
//
// What is known without the simulator: lengths of paths, and a model of a slotted ring.
//
// How many switch-to-switch links a packet takes that meets no queue: by breadth-first search for
// schemes that are minimal; the first choices of the switches for tables on a Dragonfly, which name
// one global link for each group; the shortest way over one global link for minimal on a Dragonfly,
// and for ugal, which sees empty queues and stays on it; the routing's own tables (remaining_hops)
// for up-down-tree; the shortest of all that a walk gives for up-down-nonminimal; for valiant and
// valiant-any, and for up-down between chassis, which is not always the shortest way, any number
// that a walk over all choices the routing leaves can give.
#pragma once

#include "runs/checked_network.hpp"

#include <cstdint>
#include <set>

namespace ebb::validate {

// Packets of one message may take different numbers of links.
[[nodiscard]] bool has_many_lengths(const Setting& setting);

// Refers to the checked network and its setting.
class PathLengths {
 public:
  PathLengths(const CheckedNetwork& checked, const Setting& setting);

  // Between the switches of two hosts.
  [[nodiscard]] std::set<int> of(std::uint32_t from, std::uint32_t to) const;

 private:
  const CheckedNetwork& checked_;
  const Setting& setting_;
  std::uint32_t group_size_ = 1;  // switches per group of a Dragonfly
};

// A second opinion on rings beyond saturation, with nothing of the simulator in it: one-way ring of
// switches, time in slots of one packet, every host sends a packet in a slot with probability
// `offered` to the switch `hops` on. Each output serves its two virtual channels in turn and each
// of them first come, first served; a packet takes the second from the last switch of the ring on.
// Input buffers hold `buffer` packets per virtual channel; their space is free when the packet has
// left.

struct SlottedRing {
  std::uint32_t switches = 0;
  std::uint32_t hops = 0;
  std::uint32_t buffer = 0;  // packets
  double offered = 0;        // packets per host and slot
  std::uint64_t slots = 0;   // the second half is measured
};

// Packets that arrive, per host and slot.
[[nodiscard]] double accepted(const SlottedRing& ring);

}  // namespace ebb::validate
