// SPDX-License-Identifier: Apache-2.0
//
// The state of a channel, in three parts by how often it is touched: Channel and VcQueue with every
// packet, ChannelControl when the state of the channel changes.
#pragma once

#include "ebb/netsim/credit_pool.hpp"
#include "ebb/netsim/packet.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>

namespace ebb::netsim {

inline constexpr TimePoint kNever = TimePoint::max();

// One cache line.
struct alignas(64) Channel {
  TimePoint free_at{};              // when the next transmission may begin; kNever while asleep
  TimePoint wire_end{};             // end of the latest transmission
  TimePoint next_attempt = kNever;  // when the channel will look for something to send
  Duration busy{};                  // of all transmissions begun
  std::int64_t sent_bits = 0;       // of all transmissions begun
  std::int64_t queued_bits = 0;     // that wait at a switch
  std::uint32_t latency_ps = 0;
  std::uint32_t target = 0;     // node
  std::uint32_t wire_bits = 0;  // of the latest transmission
  std::uint8_t model = 0;
  std::uint8_t step = 0;
  std::uint8_t last_vc = 0;  // of the latest transmission; the next one in turn goes first
  bool from_host : 1 = false;
  bool to_host : 1 = false;
  bool armed : 1 = false;         // has a trigger
  bool credits_dark : 1 = false;  // the reverse channel carries no credits for this one
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
  bool stalled = false;               // the packet in front lacks credits
};
static_assert(sizeof(VcQueue) == 32);

struct ChannelControl {
  // The latest change. Between `begin` and `end` the channel carries nothing.
  TimePoint change_begin{};
  TimePoint change_end{};
  policy::State before;
  policy::State state;  // after it, `changing` not set
  // How much of the change is in the ledger: 0 nothing, 1 that it began, 2 all.
  std::uint8_t metered = 2;
  bool idle_check_pending = false;

  TimePoint dark_from{};  // since when credits are dark, if they are

  // Credits that this channel, asleep, has not carried for the reverse one.
  std::int64_t withheld_bits = 0;
  TimePoint last_credit{};         // when the last one that is known of is carried
  std::int64_t promised_bits = 0;  // not less than what is known of and not carried yet

  std::optional<policy::SleepWhenIdle> sleep_when_idle;
  std::optional<policy::WakeWhenQueued> wake_when_queued;
  std::optional<policy::JumpWhenQueued> jump_when_queued;

  Duration sampled_busy{};  // what the previous sample had seen
  std::int64_t sampled_bits = 0;
};

}  // namespace ebb::netsim
