// SPDX-License-Identifier: Apache-2.0
//
// The sending side of a host: messages one after the other, each cut into packets as they are sent.
// Messages that wait need no memory: they stay in their source until it is their turn.
#pragma once

#include "ebb/traffic/message.hpp"

#include <cstdint>
#include <optional>

namespace ebb::netsim {

struct Nic {
  std::optional<traffic::Message> next;  // born already or later
  std::uint32_t channel = 0;             // to the host's switch
  // The message being sent.
  TimePoint born{};
  std::int64_t left_bits = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;  // its number
  std::uint32_t message_packets = 0;
  std::uint32_t started = 0;  // messages begun

  // Data born by `now` that has not been sent: of the message in hand and the next one. Later ones
  // are not looked at.
  [[nodiscard]] DataSize waiting(TimePoint now) const {
    const bool next_waits = next && next->at <= now;
    return bits(left_bits) + (next_waits ? next->size : DataSize{});
  }
};

}  // namespace ebb::netsim
