// SPDX-License-Identifier: Apache-2.0
//
// Channels, their states, and the actions that a policy asks for.
//
// A channel is one direction of a link. The world that carries the packets (a simulator, a live
// fabric, a fake) numbers the channels; a policy only hands the numbers back.
//
// An action either changes a channel once, or arms a trigger that the channel itself executes from
// then on, as fast as its world can: the channel model of a simulator, a switch, an agent beside
// it. A channel holds at most one trigger of each kind; arming the same kind again replaces it.
// The world answers every action with an outcome.
//
//   const Action slow{channel, SetRateLevel{RateLevel{0}}};
//   const Action nap{channel, SleepWhenIdle{.idle = microseconds(1), .wake = bytes(1)}};
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <string_view>
#include <variant>

namespace ebb::policy {

enum class ChannelId : std::uint32_t {};

// A position in the channel's rate table: 0 is the slowest level, the last one is the full rate.
enum class RateLevel : std::uint8_t {};

constexpr std::uint32_t index(ChannelId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint8_t index(RateLevel level) { return static_cast<std::uint8_t>(level); }

enum class Mode : std::uint8_t {
  active,  // carries packets at the rate of `rate_level`
  asleep   // carries nothing; runs at `rate_level` once awake
};
[[nodiscard]] std::string_view to_text(Mode mode);

// The state a channel is in or, while `changing`, the one it is on the way to. A changing channel
// carries nothing before `until`.
struct State {
  Mode mode = Mode::active;
  RateLevel rate_level{};
  bool changing = false;
  TimePoint until{};  // zero unless changing

  bool operator==(const State&) const = default;
};

constexpr State active(RateLevel level) { return {Mode::active, level}; }
constexpr State asleep(RateLevel level) { return {Mode::asleep, level}; }
constexpr State changing(State to, TimePoint until) {
  return {to.mode, to.rate_level, true, until};
}

// An active channel runs at `rate_level` from now on; a sleeping one will once it is awake. A world
// may drain the channel first: what waits for it is sent as before, and routes that have a choice
// keep away from it until it has changed.
struct SetRateLevel {
  RateLevel rate_level{};

  bool operator==(const SetRateLevel&) const = default;
};

// Drains the channel, then puts it to sleep.
struct Sleep {
  bool operator==(const Sleep&) const = default;
};

// Also of a channel that is being drained to sleep: it stays awake.
struct Wake {
  bool operator==(const Wake&) const = default;
};

// Trigger: the channel goes to sleep when it has had nothing on the wire and nothing queued for
// `idle`, counted from its last transmission or its last change of state, whichever ended later,
// and wakes as soon as at least `wake` (> 0) is queued or something has waited for
// `max_coalescing_delay`. One trigger, so that no channel is armed to sleep but not to wake. A
// packet that waits for credits or a pause keeps a channel from being idle; packets that arrive
// while it falls asleep wake it when it has fallen.
struct SleepWhenIdle {
  Duration idle{};
  DataSize wake;
  Duration max_coalescing_delay{};

  bool operator==(const SleepWhenIdle&) const = default;
};

// Trigger: an active channel faster than `rate_level` goes to `rate_level` when it has been idle
// for `idle`, as above. It takes the place of SleepWhenIdle, and SleepWhenIdle takes its place: a
// channel has one low-power state.
struct SlowDownWhenIdle {
  Duration idle{};
  RateLevel rate_level{};

  bool operator==(const SlowDownWhenIdle&) const = default;
};

// Trigger: a channel that sleeps for any reason wakes as soon as at least `queued` (> 0) waits.
struct WakeWhenQueued {
  DataSize queued;

  bool operator==(const WakeWhenQueued&) const = default;
};

// Trigger: a channel that sleeps wakes for messages that are announced to it, just in time for when
// they are expected, and does not go to sleep again before they should have come `hold` ago. The
// channel of a host that has this trigger announces the messages of the host along their way, so
// that all channels of the way wake at the same time: when it begins to send them, or, `planned`,
// also those that its program says will follow, as long before as a channel takes to wake. Messages
// that come unannounced wake a channel by its other triggers only.
struct WakeWhenAnnounced {
  Duration hold{};
  bool planned = false;

  bool operator==(const WakeWhenAnnounced&) const = default;
};

// Trigger: an active channel slower than `rate_level` goes to `rate_level` as soon as at least
// `queued` (> 0) waits for it. A packet that finds the channel free counts, and then waits for the
// change.
struct SpeedUpWhenQueued {
  DataSize queued;
  RateLevel rate_level{};

  bool operator==(const SpeedUpWhenQueued&) const = default;
};

// Removes every trigger of the channel.
struct Disarm {
  bool operator==(const Disarm&) const = default;
};

using Order = std::variant<SetRateLevel, Sleep, Wake, SleepWhenIdle, WakeWhenQueued,
                           SpeedUpWhenQueued, SlowDownWhenIdle, WakeWhenAnnounced, Disarm>;

struct Action {
  ChannelId channel{};
  Order order;

  bool operator==(const Action&) const = default;
};

enum class Reason : std::uint8_t {
  done,
  changing,         // the channel was on the way to another state; nothing was changed
  not_supported,    // the channel cannot do that at all: a rate table without sleep, no triggers
  unknown_channel,  // or one that is gone
  refused           // a safety rule or the device said no
};
[[nodiscard]] std::string_view to_text(Reason reason);

// The world's answer to one action, at once or later.
struct Outcome {
  Action asked;
  TimePoint at{};
  State applied;  // what the channel is configured to now, whether or not that was asked
  Reason reason = Reason::done;

  bool operator==(const Outcome&) const = default;
};

}  // namespace ebb::policy
