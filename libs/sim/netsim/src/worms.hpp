// SPDX-License-Identifier: Apache-2.0
//
// Wormhole switching: what a virtual channel knows at its two ends. Flits of a packet follow its
// head; a virtual channel belongs to one packet from its head to its tail.
#pragma once

#include "packet.hpp"

#include <cstdint>

namespace ebb::netsim {

// At the switch that a virtual channel leads to. Places are indices into World::queues.
struct WormInput {
  PacketIndex head = kNone;  // flits that have not been passed to an output, in order
  PacketIndex tail = kNone;
  std::uint32_t output = kNone;       // that the packet in front has
  std::uint32_t asked = kNone;        // that it waits for
  std::uint32_t next_asking = kNone;  // for the same output
  bool passed = false;                // all of its flits have been passed to the output
};

// At the switch that sends on it.
struct WormOutput {
  std::uint32_t owner = kNone;         // the input whose packet has it
  std::uint32_t first_asking = kNone;  // inputs that wait for it, first come first served
  std::uint32_t last_asking = kNone;
};

}  // namespace ebb::netsim
