// SPDX-License-Identifier: Apache-2.0
//
// Bubble flow control for tori (Carrion, Beivide, Gregorio, Vallejo, "A Flow Control Mechanism to
// Avoid Message Deadlock in k-ary n-cube Networks"; Puente et al., "The Adaptive Bubble Router"):
// one virtual channel, and no deadlock. A packet that goes on along its ring needs room for one
// packet in the next buffer, one that enters a ring, from a host or from another dimension, room
// for two: so a ring always has room for one packet somewhere, and its packets can move.
//
// Packets count as the largest there is: the room that a small one leaves must do for any.
#pragma once

#include "credit_flow_control.hpp"

#include <cstdint>

namespace ebb::netsim {

class BubbleFlowControl : public CreditFlowControl {
 public:
  using CreditFlowControl::CreditFlowControl;

  // A packet of the ring goes past one that waits to enter it, or that would hold the ring up.
  static constexpr bool kOvertakes = true;
  [[nodiscard]] bool overtakes(ChannelId channel, ChannelId input, ChannelId other_input) const {
    return !enters(channel, input) && enters(channel, other_input);
  }

  [[nodiscard]] bool take(ChannelId channel, VcQueue& queue, std::uint32_t /*bits*/,
                          ChannelId input) {
    return take_when(channel, queue, enters(channel, input) ? 2 * slot() : slot(), slot());
  }

  void left(const Packet& packet, TimePoint at) { left_bits(packet, slot(), at); }

 private:
  [[nodiscard]] std::uint32_t slot() const { return net_.packet_bits; }
  [[nodiscard]] bool enters(ChannelId channel, ChannelId input) const {
    const topology::RingDirection direction = net_.fixed(channel).direction;
    if (direction == topology::kOffRings) return false;
    return input == kNoChannel || net_.fixed(input).direction != direction;
  }
};

}  // namespace ebb::netsim
