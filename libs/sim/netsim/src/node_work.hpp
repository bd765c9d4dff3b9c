// SPDX-License-Identifier: Apache-2.0
//
// What the components of a node have done, since the beginning: what their energy is counted from.
#pragma once

#include "ebb/units/quantity.hpp"

#include <cstdint>

namespace ebb::netsim {

struct NodeWork {
  std::uint64_t packets = 0;  // through the switch; of a host: sent or received
  std::int64_t bits = 0;      // of them
  // Time for which cells of the switch's buffers held data, added up over cells and doubled, in ps.
  Int128 cell_time_twice = 0;

  [[nodiscard]] NodeWork operator-(const NodeWork& earlier) const {
    return {packets - earlier.packets, bits - earlier.bits,
            cell_time_twice - earlier.cell_time_twice};
  }
};

}  // namespace ebb::netsim
