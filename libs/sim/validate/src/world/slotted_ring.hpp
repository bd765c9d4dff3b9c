// SPDX-License-Identifier: Apache-2.0
//
// A second opinion on rings beyond saturation, with nothing of the simulator in it: one-way ring of
// switches, time in slots of one packet, every host sends a packet in a slot with probability
// `offered` to the switch `hops` on. Each output serves its two virtual channels in turn and each
// of them first come, first served; a packet takes the second from the last switch of the ring on.
// Input buffers hold `buffer` packets per virtual channel; their space is free when the packet has
// left.
#pragma once

#include <cstdint>

namespace ebb::validate {

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
