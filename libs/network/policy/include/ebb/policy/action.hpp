// SPDX-License-Identifier: Apache-2.0
//
// What a policy asks for, and what became of it.
//
// An action either changes a channel once, or arms a trigger that the channel itself executes from
// then on, as fast as its world can: the channel model of a simulator, a switch, an agent beside
// it. A channel holds at most one trigger of each kind; arming the same kind again replaces it.
#pragma once

#include "ebb/policy/channel.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <string_view>
#include <variant>

namespace ebb::policy {

// An active channel runs at `step` from now on; a sleeping one will once it is awake. A world may
// drain the channel first: what waits for it is sent as before, and routes that have a choice keep
// away from it until it has changed.
struct SetStep {
  RateStep step{};

  bool operator==(const SetStep&) const = default;
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
// and wakes as soon as at least `wake` (> 0) is queued or something has waited for `patience`. One
// trigger, so that no channel is armed to sleep but not to wake. A packet that waits for credits or
// a pause keeps a channel from being idle; packets that arrive while it falls asleep wake it when
// it has fallen.
struct SleepWhenIdle {
  Duration idle{};
  DataSize wake;
  Duration patience{};

  bool operator==(const SleepWhenIdle&) const = default;
};

// Trigger: an active channel faster than `step` goes to `step` when it has been idle for `idle`, as
// above. It takes the place of SleepWhenIdle and the other way round: a channel rests in one way.
struct StepWhenIdle {
  Duration idle{};
  RateStep step{};

  bool operator==(const StepWhenIdle&) const = default;
};

// Trigger: a channel that sleeps for any reason wakes as soon as at least `queued` (> 0) waits.
struct WakeWhenQueued {
  DataSize queued;

  bool operator==(const WakeWhenQueued&) const = default;
};

// Trigger: an active channel slower than `step` goes to `step` as soon as at least `queued` (> 0)
// waits for it. A packet that finds the channel free counts, and then waits for the change.
struct JumpWhenQueued {
  DataSize queued;
  RateStep step{};

  bool operator==(const JumpWhenQueued&) const = default;
};

// Removes every trigger of the channel.
struct Disarm {
  bool operator==(const Disarm&) const = default;
};

using Order = std::variant<SetStep, Sleep, Wake, SleepWhenIdle, WakeWhenQueued, JumpWhenQueued,
                           StepWhenIdle, Disarm>;

struct Action {
  ChannelId channel{};
  Order order;

  bool operator==(const Action&) const = default;
};

enum class Reason : std::uint8_t {
  done,
  changing,         // the channel was on the way to another state; nothing was changed
  not_supported,    // the channel cannot do that at all: a ladder without sleep, no triggers
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
