// SPDX-License-Identifier: Apache-2.0
//
// The state of a channel in parts, by who touches it and how often: Channel changes with every
// packet, but for FixedChannel in it, which never does; ChannelControl changes with the channel's
// state, Triggers only where some are armed. All belong to the node that sends on the channel.
#pragma once

#include "packet.hpp"

#include "ebb/policy/action.hpp"
#include "ebb/topology/rings.hpp"
#include "ebb/units/time.hpp"

#include <algorithm>
#include <cstdint>

namespace ebb::netsim {

inline constexpr TimePoint kNever = TimePoint::max();

// A virtual channel of a channel: where its queue is.
enum class VcPlace : std::uint32_t {};
constexpr std::uint32_t index(VcPlace place) { return static_cast<std::uint32_t>(place); }
inline constexpr VcPlace kNoPlace{kNone};

struct FixedChannel {
  Duration latency{};
  NodeId target{};
  NodeId source{};
  std::uint8_t model = 0;
  std::uint8_t tier = 0;                                    // routing.hpp
  topology::RingDirection direction = topology::kOffRings;  // with bubble flow control
  bool from_host : 1 = false;
  bool to_host : 1 = false;
  bool cut : 1 = false;       // its ends belong to different partitions
  bool notifies : 1 = false;  // its switch notifies others when it is congested
  // Its credits travel on the reverse channel, and that can sleep.
  bool defers_credits : 1 = false;
};
static_assert(sizeof(FixedChannel) == 24);

// One virtual channel of a channel: the packets that wait for it, first come first served, and the
// credits for the buffer at its other end.
struct VcQueue {
  CreditList returning;  // on their way or arrived, not yet counted
  PacketIndex head = kNoPacket;
  PacketIndex tail = kNoPacket;
  std::int32_t credit_bits = 0;  // at hand
  bool stalled = false;          // the packet in front lacks credits, or is paused
  std::int8_t pauses = 0;        // heard of and not lifted
  // Changes of the reverse channel that keep credits from coming back: of the whole channel, in the
  // queue of its first virtual channel.
  std::int8_t credit_blocks = 0;

  void push(PacketPool& packets, PacketIndex packet) {
    packets[packet].next = kNoPacket;
    (head == kNoPacket ? head : packets[tail].next) = packet;
    tail = packet;
  }
};
static_assert(sizeof(VcQueue) == 40);

// Two cache lines that are fetched together. The first is what those look at who choose an output,
// and what changes with every transmission; the second is all that a credit touches.
struct alignas(128) Channel {
  TimePoint free_at{};           // when the next transmission may begin; kNever while asleep
  TimePoint wire_end{};          // end of the latest transmission
  TimePoint next_try = kNever;   // when the channel will look for something to send
  Duration busy{};               // of all transmissions begun
  std::int64_t sent_bits = 0;    // of all transmissions begun
  std::int64_t queued_bits = 0;  // that wait at a switch
  TimePoint blocked_from{};      // since when credit return is blocked, if it is
  std::uint32_t wire_bits = 0;   // of the latest transmission
  std::uint8_t rate_level = 0;
  std::uint8_t last_vc = 0;       // of the latest transmission; the next one in turn goes first
  bool armed : 1 = false;         // has a trigger
  bool wake_stalled : 1 = false;  // something waits although the channel does not carry
  bool draining : 1 = false;      // sends what waits, then changes
  bool drained : 1 = false;       // did so before its latest change
  bool at_full_rate : 1 = true;   // its rate level is the last one
  bool diverted : 1 = false;      // not live for packets that have another choice
  std::uint8_t waiting = 0;       // by virtual channel: whether its queue has packets

  VcQueue queue;  // of the first virtual channel; NetworkState has those of the others
  FixedChannel fixed;

  // The last bit stands for all further virtual channels, and is never cleared.
  static constexpr std::uint8_t kLastWaiting = 7;
  [[nodiscard]] bool may_wait(std::uint8_t vc) const {
    return (waiting >> std::min(vc, kLastWaiting) & 1U) != 0;
  }
  void set_waiting(std::uint8_t vc) {
    waiting = static_cast<std::uint8_t>(waiting | 1U << std::min(vc, kLastWaiting));
  }
  void clear_waiting(std::uint8_t vc) {
    if (vc < kLastWaiting) waiting = static_cast<std::uint8_t>(waiting & ~(1U << vc));
  }

  [[nodiscard]] bool credit_return_blocked() const { return queue.credit_blocks > 0; }
  // Credits that were on the way when the channel that carries them was blocked do not arrive.
  [[nodiscard]] TimePoint credits_until(TimePoint now) const {
    return credit_return_blocked() ? blocked_from : now;
  }
};
static_assert(sizeof(Channel) == 128);

// The output buffer of a virtual channel, where there are any.
struct OutputBuffer {
  std::int32_t room_bits = 0;             // that of the packet on the wire included
  PacketIndex first_outside = kNoPacket;  // the first packet of the queue that is not in it yet
};

struct Setting {
  policy::Mode mode = policy::Mode::active;
  policy::RateLevel rate_level{};

  [[nodiscard]] bool asleep() const { return mode == policy::Mode::asleep; }
  [[nodiscard]] policy::State state() const { return {mode, rate_level}; }
};

struct ChannelControl {
  // The latest change. Between `begin` and `end` the channel carries nothing.
  TimePoint change_begin{};
  TimePoint change_end{};
  Duration sampled_busy{};  // what the previous sample had seen
  std::int64_t sampled_bits = 0;
  Duration wake_stall{};     // since the previous sample
  TimePoint stalled_from{};  // while stalled
  Setting before;
  Setting now;   // after the change
  Setting next;  // while draining
  // How much of the change is in the ledger: 0 nothing, 1 that it began, 2 all.
  std::uint8_t metered = 2;
};
static_assert(sizeof(ChannelControl) == 56);

// Sizes in bits; 0 stands for a trigger that is not armed. A size above 256 MiB counts as that.
struct Triggers {
  Duration low_power_after{-1};     // idle time; negative: enters no low-power state by itself
  TimePoint next_check = kNever;    // when the channel will look at its triggers
  TimePoint ramp_end = kNever;      // when the voltage ramp of a woken channel is over
  Duration max_coalescing_delay{};  // of what waits for a sleeping channel
  Duration hold{-1};           // for announced messages that are late; negative: none are awaited
  TimePoint wake_at = kNever;  // for the next of them
  TimePoint expected_until{};  // the last of them should have come, and it was late for so long
  TimePoint bypassed_from{};   // when the first packet took the detour of a sleeping channel
  CreditList to_carry;         // for the reverse channel, those of the past perhaps included
  std::int32_t sleep_wakes_at = 0;
  std::int32_t wakes_at = 0;
  std::int32_t jumps_at = 0;
  std::int32_t deferred_credit_bits = 0;  // credits that the channel, asleep, has not carried
  std::int32_t bypassed_bits = 0;         // sent by its detour since it sleeps
  policy::RateLevel jumps_to{};
  Setting low_power;            // asleep, or a slow rate level
  policy::RateLevel ramp_to{};  // when the ramp is over

  [[nodiscard]] bool ramping() const { return ramp_end != kNever; }

  [[nodiscard]] bool has_low_power() const { return low_power_after >= Duration{}; }
  [[nodiscard]] bool awaits_messages() const { return hold >= Duration{}; }
};
static_assert(sizeof(Triggers) == 112);

// With pause frames: what the switch that a channel leads to knows of the input buffer of one of
// its virtual channels, and the levels of a channel.

struct PauseInput {
  TimePoint next_look = TimePoint::max();  // when it will see whether the sender may go on
  CreditList leaving;                      // space that becomes free, perhaps already has
  std::int32_t occupied_bits = 0;          // that of packets in `leaving` included
  bool pausing = false;                    // has told the sender to stop
};
static_assert(sizeof(PauseInput) == 40);

struct PauseChannel {
  Duration delay{};  // of a pause frame
  std::int32_t xoff_bits = 0;
  std::int32_t xon_bits = 0;
};

// Wormhole switching: what a virtual channel knows at its two ends. Flits of a packet follow its
// head; a virtual channel belongs to one packet from its head to its tail.

// At the switch that a virtual channel leads to.
struct InputVcState {
  PacketIndex head = kNoPacket;  // flits that have not been passed to an output, in order
  PacketIndex tail = kNoPacket;
  VcPlace output = kNoPlace;          // that the packet in front has
  VcPlace requested = kNoPlace;       // that it waits for
  VcPlace next_requester = kNoPlace;  // for the same output
  bool passed = false;                // all of its flits have been passed to the output
};

// At the switch that sends on it.
struct OutputVcState {
  VcPlace owner = kNoPlace;            // the input whose packet has it
  VcPlace first_requester = kNoPlace;  // inputs that wait for it, first come first served
  VcPlace last_requester = kNoPlace;
};

}  // namespace ebb::netsim
