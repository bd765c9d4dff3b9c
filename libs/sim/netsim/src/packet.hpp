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
#include <utility>
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
  std::uint16_t flits : 15 = 1;           // that its packet has
  bool input_cut : 1 = false;             // it came from another partition
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

// The credits of one virtual channel, in the order of time. The first is in the list itself: most
// lists have no more, and then nothing else is touched.
struct CreditList {
  TimePoint at{};                // of the first
  std::uint32_t bits = 0;        // of the first; 0: the list is empty
  std::uint32_t second = kNone;  // the others are in the pool
  std::uint32_t last = kNone;
};

class CreditPool {
 public:
  void push(CreditList& list, TimePoint at, std::uint32_t bits) {
    if (list.bits == 0) {
      list.at = at;
      list.bits = bits;
      return;
    }
    if (at < list.at) {
      std::swap(at, list.at);
      std::swap(bits, list.bits);
    }
    push_behind(list, at, bits);
  }

  // Takes the credits that count by `now` out of the list and gives their sum.
  [[nodiscard]] std::int32_t collect(CreditList& list, TimePoint now) {
    std::int32_t bits = 0;
    while (list.bits != 0 && list.at <= now) {
      bits += static_cast<std::int32_t>(list.bits);
      pop(list);
    }
    return bits;
  }

  // When the first credit of the list counts; `none` for an empty one.
  [[nodiscard]] static TimePoint earliest(const CreditList& list, TimePoint none) {
    return list.bits == 0 ? none : list.at;
  }

  // The sum of the credits that count only after `time`.
  [[nodiscard]] std::int32_t after(const CreditList& list, TimePoint time) const {
    std::int32_t bits = list.at > time ? static_cast<std::int32_t>(list.bits) : 0;
    for (std::uint32_t i = list.second; i != kNone; i = credits_[i].next) {
      if (credits_[i].at > time) bits += static_cast<std::int32_t>(credits_[i].bits);
    }
    return bits;
  }

  [[nodiscard]] std::size_t memory_bytes() const { return credits_.capacity() * sizeof(Credit); }

 private:
  // Credits mostly come in order; the walk is for channels that return them at different rates.
  void push_behind(CreditList& list, TimePoint at, std::uint32_t bits) {
    const std::uint32_t credit = take();
    std::uint32_t* link = &list.second;
    if (list.second != kNone && credits_[list.last].at <= at) {
      link = &credits_[list.last].next;
    } else {
      while (*link != kNone && credits_[*link].at <= at) link = &credits_[*link].next;
    }
    credits_[credit] = {at, bits, *link};
    if (*link == kNone) list.last = credit;
    *link = credit;
  }

  void pop(CreditList& list) {
    const std::uint32_t moved = list.second;
    if (moved == kNone) {
      list.bits = 0;
      return;
    }
    Credit& credit = credits_[moved];
    list.at = credit.at;
    list.bits = credit.bits;
    list.second = credit.next;
    credit.next = free_;
    free_ = moved;
  }

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
