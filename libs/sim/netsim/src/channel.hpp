// SPDX-License-Identifier: Apache-2.0
//
// The state of a channel in parts, by who touches it and how often: FixedChannel never changes;
// Channel and VcQueue change with every packet, ChannelControl with the channel's state, Triggers
// only where some are armed. All but the first belong to the node that sends on the channel.
#pragma once

#include "credit_pool.hpp"
#include "packet.hpp"

#include "ebb/policy/channel.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>

namespace ebb::netsim {

inline constexpr TimePoint kNever = TimePoint::max();

struct FixedChannel {
  Duration latency{};
  std::uint32_t target = 0;  // node
  std::uint8_t model = 0;
  std::uint8_t tier = 0;  // routing.hpp
  bool from_host : 1 = false;
  bool to_host : 1 = false;
  bool cut : 1 = false;   // its ends belong to different partitions
  bool news : 1 = false;  // its switch tells others when it is congested
};
static_assert(sizeof(FixedChannel) == 16);

// One cache line.
struct alignas(64) Channel {
  TimePoint free_at{};              // when the next transmission may begin; kNever while asleep
  TimePoint wire_end{};             // end of the latest transmission
  TimePoint next_attempt = kNever;  // when the channel will look for something to send
  Duration busy{};                  // of all transmissions begun
  std::int64_t sent_bits = 0;       // of all transmissions begun
  std::int64_t queued_bits = 0;     // that wait at a switch
  TimePoint dark_from{};            // since when credits are dark, if they are
  std::uint32_t wire_bits = 0;      // of the latest transmission
  std::uint8_t step = 0;
  std::uint8_t last_vc = 0;  // of the latest transmission; the next one in turn goes first
  std::int8_t darkness = 0;  // changes of the reverse channel that keep credits away
  bool armed : 1 = false;    // has a trigger
  bool holding : 1 = false;  // something waits although the channel does not carry
  bool leaving : 1 = false;  // sends what waits, then changes
  bool drained : 1 = false;  // did so before its latest change

  [[nodiscard]] bool credits_dark() const { return darkness > 0; }
};
static_assert(sizeof(Channel) == 64);

// One virtual channel of a channel: the packets that wait for it, first come first served, and the
// credits for the buffer at its other end.
struct VcQueue {
  PacketIndex head = kNone;
  PacketIndex tail = kNone;
  std::int32_t credit_bits = 0;  // at hand
  CreditList returning;          // on their way or arrived, not yet counted
  // Free space of the output buffer, that of the packet on the wire included.
  std::int32_t room_bits = 0;
  PacketIndex first_outside = kNone;  // the first packet that is not in the output buffer yet
  bool stalled = false;               // the packet in front lacks credits, or is paused
  std::int8_t pauses = 0;             // heard of and not lifted
};
static_assert(sizeof(VcQueue) == 32);

struct Setting {
  policy::Mode mode = policy::Mode::active;
  policy::RateStep step{};

  [[nodiscard]] bool asleep() const { return mode == policy::Mode::asleep; }
  [[nodiscard]] policy::State state() const { return {mode, step}; }
};

struct ChannelControl {
  // The latest change. Between `begin` and `end` the channel carries nothing.
  TimePoint change_begin{};
  TimePoint change_end{};
  Duration sampled_busy{};  // what the previous sample had seen
  std::int64_t sampled_bits = 0;
  Duration held{};        // since the previous sample
  TimePoint held_from{};  // while holding
  Setting before;
  Setting now;   // after the change
  Setting next;  // while leaving
  // How much of the change is in the ledger: 0 nothing, 1 that it began, 2 all.
  std::uint8_t metered = 2;
};
static_assert(sizeof(ChannelControl) == 56);

// Sizes in bits; 0 stands for a trigger that is not armed. A size above 256 MiB counts as that.
struct Triggers {
  Duration rest_after{-1};        // idle time; negative: does not rest by itself
  TimePoint next_check = kNever;  // when the channel will look at its triggers
  TimePoint settles_at = kNever;  // when the supply of a woken channel is up
  Duration patience{};            // of what waits for a sleeping channel
  CreditList to_carry;            // for the reverse channel, those of the past perhaps included
  std::int32_t sleep_wakes_at = 0;
  std::int32_t wakes_at = 0;
  std::int32_t jumps_at = 0;
  std::int32_t withheld_bits = 0;  // credits that the channel, asleep, has not carried
  policy::RateStep jumps_to{};
  Setting rest;                   // asleep, or the step it rests at
  policy::RateStep settles_to{};  // when its supply is up

  [[nodiscard]] bool settling() const { return settles_at != kNever; }

  [[nodiscard]] bool rests() const { return rest_after >= Duration{}; }
};
static_assert(sizeof(Triggers) == 64);

}  // namespace ebb::netsim
