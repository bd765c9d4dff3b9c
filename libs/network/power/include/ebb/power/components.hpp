// SPDX-License-Identifier: Apache-2.0
//
// What the components of a switch and of a network card take, by what they do: per bit, per packet,
// and by the time for which they leak. docs/models/components.md has the equations.
#pragma once

#include "ebb/power/sourced.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/ratio.hpp"

#include <optional>

namespace ebb::power {

// A FIFO is made of cells, each powered as a whole.
struct BufferCells {
  DataSize cell;
  Sourced<Energy> write;                // per bit
  Sourced<Energy> read;                 // per bit
  Sourced<Power> leakage;               // of a powered cell
  std::optional<Sourced<Ratio>> gated;  // of that, what a gated cell still leaks; none: no gating

  bool operator==(const BufferCells&) const = default;
};

struct Components {
  BufferCells buffers;
  Sourced<Energy> crossbar_bit;
  Sourced<Energy> crossbar_setup;  // per packet
  Sourced<Energy> arbitration;     // per packet
  Sourced<Energy> lookup;          // per packet, in the tables of the switch
  Sourced<Power> logic;            // of a switch, whatever it does
  Sourced<Energy> nic_bit;         // sent or received: DMA and memory
  Sourced<Energy> nic_packet;      // sent or received: processor and doorbell
  Sourced<Power> nic_idle;         // of a network card, whatever it does

  bool operator==(const Components&) const = default;
};

}  // namespace ebb::power
