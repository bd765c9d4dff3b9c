// SPDX-License-Identifier: Apache-2.0
//
// Pause frames per class (IEEE 802.1Qbb): when the switch that a channel leads to counts `xoff` of
// a class in its input buffer, it tells the sender to stop; when it counts `xon` again, to go on.
// What still comes after `xoff` is the headroom, and the buffer must have it. docs/models/pause.md
// has the arithmetic.
#pragma once

#include "ebb/core/error.hpp"
#include "ebb/netsim/hardware.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

namespace ebb::netsim {

inline constexpr DataSize kPauseFrame = bytes(64);

// A link as far as pauses are concerned.
struct PausedLink {
  DataRate rate;  // the highest
  Duration latency{};
};

struct PauseLevels {
  DataSize xoff;
  DataSize xon;
};

// From the decision until the sender has heard of it. The frame waits for a packet on its wire, of
// full size and rate, whatever is there: the worst case, always.
[[nodiscard]] Duration pause_delay(const Hardware& hardware, const PausedLink& link);

// What can still come after the decision to pause, the packet included that led to it.
[[nodiscard]] DataSize headroom(const Hardware& hardware, const PausedLink& link);

// As the hardware says, or else xoff = buffer - headroom and xon = xoff - two packets.
[[nodiscard]] PauseLevels pause_levels(const Hardware& hardware, const PausedLink& link);

// Why the hardware would lose packets on some link of the network; empty when it would not.
[[nodiscard]] Errors pause_mistakes(const Hardware& hardware, const topology::Graph& graph);

}  // namespace ebb::netsim
