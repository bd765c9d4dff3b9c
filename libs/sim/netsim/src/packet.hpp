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

using topology::ChannelId;
using topology::NodeId;

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
inline constexpr ChannelId kNoChannel{kNone};

// Where a packet is in the pool of its partition.
enum class PacketIndex : std::uint32_t {};
constexpr std::uint32_t index(PacketIndex packet) { return static_cast<std::uint32_t>(packet); }
inline constexpr PacketIndex kNoPacket{kNone};

struct Packet {
  TimePoint tail;            // when its last bit is ready to leave the switch it is at
  TimePoint sent;            // when the first bit of the packet left the host
  TimePoint created;         // of its message
  std::uint32_t source = 0;  // host number
  std::uint32_t destination = 0;
  std::uint32_t message = 0;          // counts the messages of the source
  std::uint32_t message_packets = 0;  // how many packets the message has
  std::uint32_t bits = 0;
  routing::RouteState route;
  PacketIndex next = kNoPacket;          // in a queue, or in the free list
  ChannelId input_channel = kNoChannel;  // whose buffer it occupies
  std::uint8_t input_vc = 0;
  bool routed : 1 = false;                // `route` has been started
  bool last : 1 = true;                   // of the flits of its packet
  std::uint8_t input_rate_level : 6 = 0;  // at which it came in
  std::uint16_t flits = 1;                // that its packet has
};
static_assert(sizeof(Packet) == 64);

class PacketPool {
 public:
  [[nodiscard]] PacketIndex take() {
    ++in_use_;
    if (free_ == kNoPacket) {
      packets_.emplace_back();
      return PacketIndex{static_cast<std::uint32_t>(packets_.size() - 1)};
    }
    const PacketIndex packet = free_;
    free_ = (*this)[packet].next;
    return packet;
  }
  void give_back(PacketIndex packet) {
    --in_use_;
    (*this)[packet].next = free_;
    free_ = packet;
  }

  [[nodiscard]] Packet& operator[](PacketIndex packet) { return packets_[index(packet)]; }
  [[nodiscard]] const Packet& operator[](PacketIndex packet) const {
    return packets_[index(packet)];
  }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  [[nodiscard]] std::size_t memory_bytes() const { return packets_.capacity() * sizeof(Packet); }

 private:
  LargeVector<Packet> packets_;
  PacketIndex free_ = kNoPacket;
  std::size_t in_use_ = 0;
};

// Credits on their way back to the sender of a channel. A credit is not an event: it lies in the
// list of its virtual channel with the time from which it counts, and the sender looks there when
// it runs short. At that time every event of the moment sees it, whichever comes first, so it makes
// no difference when it was put there.

struct Credit {
  TimePoint at;
  std::uint32_t bits = 0;
  std::uint32_t next = kNone;
};
static_assert(sizeof(Credit) == 16);

// The credits of one virtual channel, in the order of time.
struct CreditList {
  std::uint32_t first = kNone;
  std::uint32_t last = kNone;
};

class CreditPool {
 public:
  // Credits mostly come in order; the walk is for channels that return them at different rates.
  void push(CreditList& list, TimePoint at, std::uint32_t bits) {
    const std::uint32_t credit = take();
    std::uint32_t* link = &list.first;
    if (list.first != kNone && credits_[list.last].at <= at) {
      link = &credits_[list.last].next;
    } else {
      while (*link != kNone && credits_[*link].at <= at) link = &credits_[*link].next;
    }
    credits_[credit] = {at, bits, *link};
    if (*link == kNone) list.last = credit;
    *link = credit;
  }

  // Takes the credits that count by `now` out of the list and gives their sum.
  [[nodiscard]] std::int32_t collect(CreditList& list, TimePoint now) {
    std::int32_t bits = 0;
    while (list.first != kNone && credits_[list.first].at <= now) {
      Credit& credit = credits_[list.first];
      bits += static_cast<std::int32_t>(credit.bits);
      const std::uint32_t taken = list.first;
      list.first = credit.next;
      credit.next = free_;
      free_ = taken;
    }
    return bits;
  }

  // When the first credit of the list counts; `none` for an empty one.
  [[nodiscard]] TimePoint earliest(const CreditList& list, TimePoint none) const {
    return list.first == kNone ? none : credits_[list.first].at;
  }

  // The sum of the credits that count only after `time`.
  [[nodiscard]] std::int32_t after(const CreditList& list, TimePoint time) const {
    std::int32_t bits = 0;
    for (std::uint32_t i = list.first; i != kNone; i = credits_[i].next) {
      if (credits_[i].at > time) bits += static_cast<std::int32_t>(credits_[i].bits);
    }
    return bits;
  }

  [[nodiscard]] std::size_t memory_bytes() const { return credits_.capacity() * sizeof(Credit); }

 private:
  [[nodiscard]] std::uint32_t take() {
    if (free_ == kNone) {
      credits_.emplace_back();
      return static_cast<std::uint32_t>(credits_.size() - 1);
    }
    const std::uint32_t credit = free_;
    free_ = credits_[credit].next;
    return credit;
  }

  LargeVector<Credit> credits_;
  std::uint32_t free_ = kNone;
};

}  // namespace ebb::netsim
