// SPDX-License-Identifier: Apache-2.0
//
// A whole switch out of use: the states that it goes through, what is ordered of its power, and
// what is told and persisted of it.
//
//   in use --> draining --> drained --> going off --> off --> starting --> returning --> in use
//                  |           |                                 |  ^          ^
//                  |           +---- without a power driver -----|--|----------+
//                  +---- a link cannot go: undone ---------------|--|----------+
//                                                                v  |
//                                                                lost
//
// Draining and returning are make before break for all links of the switch together. Its
// neighbours are told to avoid it while the switch itself forwards as before, so that frames that
// are on their way arrive. When no link of it carries a frame any more, all ports go down. On the
// way back every link that can come up is up and probed before the first neighbour uses the switch
// again: a switch that reaches only some of its neighbours would lose what is for the others.
//
// An operator drains a switch, or the policy does, by wanting all its links asleep. What an
// operator has drained only an operator brings back.
#pragma once

#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ebb::controller {

enum class SwitchState : std::uint8_t {
  in_use,
  draining,
  drained,    // no link of it carries a frame; it has power
  going_off,  // the power driver was asked
  off,
  starting,   // has power again, and is not connected with its rules yet
  returning,  // its links wake
  lost,       // did not come back within its time
};
[[nodiscard]] std::string_view to_text(SwitchState state);
[[nodiscard]] std::optional<SwitchState> switch_state(std::string_view text);

// What the controller may do to the power of switches.
struct SwitchPower {
  std::set<std::uint32_t> devices;  // that have an outlet; the others are only drained
  // From power on, or from undrain, until the switch is connected, has its rules and its links
  // wake; then it is lost.
  Duration start_limit = std::chrono::seconds(60);
  // The policy drains switches that have an outlet and no hosts, and brings them back.
  bool by_policy = false;
  Duration min_off_time = std::chrono::seconds(60);   // before the policy may have it back
  Duration min_use_time = std::chrono::seconds(300);  // of one that came back, before it may go

  bool operator==(const SwitchPower&) const = default;
};

struct PowerOrder {
  std::uint32_t device = 0;
  bool on = false;
};

// Who has drained a switch.
enum class DrainedBy : std::uint8_t { an_operator, policy };
[[nodiscard]] std::string_view to_text(DrainedBy who);
[[nodiscard]] std::optional<DrainedBy> drained_by(std::string_view text);

// What happened to a switch, and why.
struct SwitchEntry {
  TimePoint at{};
  std::uint32_t device = 0;
  SwitchState state{};
  std::string why;
  DrainedBy by{};
};

// What a controller persists of a switch for the next one.
struct PersistedSwitch {
  SwitchState state = SwitchState::in_use;
  std::string why;
  DrainedBy by = DrainedBy::an_operator;

  bool operator==(const PersistedSwitch&) const = default;
};

}  // namespace ebb::controller
