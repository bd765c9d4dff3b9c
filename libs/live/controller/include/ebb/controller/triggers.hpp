// SPDX-License-Identifier: Apache-2.0
//
// The triggers that a policy has armed (policy/action.hpp), for channels that do not carry them out
// themselves: the ports of switches. Whoever reads their counters does it for them.
//
// What a live channel shows of being idle, and of what waits for it:
//   idle            its port has sent nothing but probes since a reading of its counters
//   queued, asleep  what its fast-failover groups have sent by the detour since the link was
//                   diverted: nothing waits, but this would, had the link no detour
//   queued, slow    what its port has sent since it was last idle: at least what waits
//
//   Triggers triggers;
//   triggers.arm(now, channel, policy::SleepWhenIdle{...});
//   triggers.counted(now, channel, frames, bytes);    // the port's own counters
//   triggers.detoured(now, channel, bytes);           // the groups' counters, while it is diverted
//   if (triggers.wants_sleep(now, channel)) ...       // both channels of a link, then it sleeps
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <map>
#include <optional>

namespace ebb::controller {

class Triggers {
 public:
  // A trigger replaces one of its kind; the two of a low-power state replace each other; Disarm
  // removes all. Other orders, WakeWhenQueued among them, are none of these triggers.
  void arm(TimePoint now, topology::ChannelId channel, const policy::Order& order);
  [[nodiscard]] bool any() const { return !channels_.empty(); }
  [[nodiscard]] bool has(topology::ChannelId channel) const { return channels_.contains(channel); }

  // Counters as they stand. One that is smaller than before began again at zero.
  void counted(TimePoint now, topology::ChannelId channel, std::uint64_t frames,
               std::uint64_t bytes);
  void detoured(TimePoint now, topology::ChannelId channel, std::uint64_t bytes);
  // A probe was given to the switch: it will be in the counters, and is no traffic.
  void probed(TimePoint now, topology::ChannelId channel);
  // The link has changed its state or its rate: idle counts from now, and nothing is queued.
  void changed(TimePoint now, topology::ChannelId channel);

  // False for channels that are not armed for it.
  [[nodiscard]] bool wants_sleep(TimePoint now, topology::ChannelId channel) const;
  [[nodiscard]] bool wants_wake(TimePoint now, topology::ChannelId channel) const;
  // Of a channel that is to sleep when it is idle: for how long it must be, and has been.
  struct Idle {
    Duration needed{};
    Duration so_far{};
    [[nodiscard]] bool is_enough() const { return so_far >= needed; }
  };
  [[nodiscard]] std::optional<Idle> idle(TimePoint now, topology::ChannelId channel) const;
  // Its port has sent something since it was idle.
  [[nodiscard]] bool has_sent(topology::ChannelId channel) const;
  // The level to go to when it is idle, or when something waits.
  [[nodiscard]] std::optional<policy::RateLevel> wants_slow(TimePoint now,
                                                            topology::ChannelId channel) const;
  [[nodiscard]] std::optional<policy::RateLevel> wants_fast(topology::ChannelId channel) const;
  // Something has taken the detour of a link that slept, or was on its way: for how long, since it
  // was asked last. It is what a sample calls the wake stall.
  [[nodiscard]] Duration take_stall(TimePoint now, topology::ChannelId channel);

 private:
  struct Channel {
    std::optional<policy::SleepWhenIdle> sleep;
    std::optional<policy::SlowDownWhenIdle> slow;
    std::optional<policy::SpeedUpWhenQueued> fast;
    std::optional<std::uint64_t> frames;  // of its port, as read last
    std::uint64_t bytes = 0;
    std::uint64_t probes = 0;  // that will be counted
    TimePoint probed_at{};     // the last of them
    TimePoint idle_since{};
    DataSize sent;                       // since it was idle
    std::optional<std::uint64_t> group;  // bytes of its groups, as read last
    DataSize queued;                     // by the detour
    std::optional<TimePoint> queued_since;
    std::optional<TimePoint> stalled_since;  // not taken yet
    Duration stall{};
  };
  [[nodiscard]] const Channel* find(topology::ChannelId channel) const;
  [[nodiscard]] Channel* find(topology::ChannelId channel);

  std::map<topology::ChannelId, Channel> channels_;  // that are armed
};

}  // namespace ebb::controller
