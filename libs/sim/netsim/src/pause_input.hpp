// SPDX-License-Identifier: Apache-2.0
//
// With pause frames: what the switch that a channel leads to knows of the input buffer of one of
// its virtual channels, and the levels of a channel.
#pragma once

#include "credit_pool.hpp"

#include "ebb/units/time.hpp"

#include <cstdint>

namespace ebb::netsim {

struct PauseInput {
  TimePoint next_look = TimePoint::max();  // when it will see whether the sender may go on
  CreditList leaving;                      // space that becomes free, perhaps already has
  std::int32_t occupied_bits = 0;          // that of packets in `leaving` included
  bool pausing = false;                    // has told the sender to stop
};
static_assert(sizeof(PauseInput) == 24);

struct PauseChannel {
  Duration delay{};  // of a pause frame
  std::int32_t xoff_bits = 0;
  std::int32_t xon_bits = 0;
};

}  // namespace ebb::netsim
