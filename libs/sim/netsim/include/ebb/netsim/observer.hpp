// SPDX-License-Identifier: Apache-2.0
//
// What a network tells about itself while it runs. Statistics live in observers, not in the model.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>

namespace ebb::netsim {

struct PacketDelivered {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;  // counts the messages of the source
  DataSize size;
  TimePoint sent{};  // its first bit left the host
  TimePoint at{};    // its last bit is at the destination

  bool operator==(const PacketDelivered&) const = default;
};

struct MessageDelivered {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;
  TimePoint born{};
  TimePoint at{};  // its last bit is at the destination

  bool operator==(const MessageDelivered&) const = default;
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  // Called when the last switch begins to send the packet: `at` lies ahead, by one transmission and
  // one cable.
  virtual void packet_delivered(const PacketDelivered&) {}
  // Called with the last of its packets.
  virtual void message_delivered(const MessageDelivered&) {}
};

}  // namespace ebb::netsim
