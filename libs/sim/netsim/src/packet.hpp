// SPDX-License-Identifier: Apache-2.0
//
// A packet on its way, or with wormhole switching one of its flits, and where all of a run are
// kept: 64 bytes each, reused, linked into queues by index. A packet exists from the moment its
// host begins to send it.
#pragma once

#include "ebb/core/large_vector.hpp"
#include "ebb/routing/routing.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ebb::netsim {

using PacketIndex = std::uint32_t;
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Packet {
  TimePoint tail;            // when its last bit is ready to leave the switch it is at
  TimePoint sent;            // when the first bit of the packet left the host
  TimePoint born;            // of its message
  std::uint32_t source = 0;  // host number
  std::uint32_t destination = 0;
  std::uint32_t message = 0;          // counts the messages of the source
  std::uint32_t message_packets = 0;  // how many packets the message has
  std::uint32_t bits = 0;
  routing::RouteState route;
  PacketIndex next = kNone;             // in a queue, or in the free list
  std::uint32_t input_channel = kNone;  // whose buffer it occupies
  std::uint8_t input_vc = 0;
  bool routed : 1 = false;          // `route` has been started
  bool last : 1 = true;             // of the flits of its packet
  std::uint8_t input_step : 6 = 0;  // at which it came in
  std::uint16_t flits = 1;          // that its packet has
};
static_assert(sizeof(Packet) == 64);

class PacketPool {
 public:
  [[nodiscard]] PacketIndex take() {
    ++in_use_;
    if (free_ == kNone) {
      packets_.emplace_back();
      return static_cast<PacketIndex>(packets_.size() - 1);
    }
    const PacketIndex packet = free_;
    free_ = packets_[packet].next;
    return packet;
  }
  void give_back(PacketIndex packet) {
    --in_use_;
    packets_[packet].next = free_;
    free_ = packet;
  }

  [[nodiscard]] Packet& operator[](PacketIndex packet) { return packets_[packet]; }
  [[nodiscard]] const Packet& operator[](PacketIndex packet) const { return packets_[packet]; }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  [[nodiscard]] std::size_t memory_bytes() const { return packets_.capacity() * sizeof(Packet); }

 private:
  LargeVector<Packet> packets_;
  PacketIndex free_ = kNone;
  std::size_t in_use_ = 0;
};

}  // namespace ebb::netsim
