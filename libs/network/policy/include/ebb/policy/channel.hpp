// SPDX-License-Identifier: Apache-2.0
//
// What a policy knows of a channel, one direction of a link. The world that carries the packets (a
// simulator, a live fabric, a fake) numbers the channels; a policy only hands the numbers back.
#pragma once

#include "ebb/units/time.hpp"

#include <cstdint>
#include <string_view>

namespace ebb::policy {

enum class ChannelId : std::uint32_t {};

// Position on the channel's ladder of rates: 0 is the slowest, ladder size - 1 the full rate.
enum class RateStep : std::uint8_t {};

constexpr std::uint32_t index(ChannelId id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint8_t index(RateStep step) { return static_cast<std::uint8_t>(step); }

enum class Mode : std::uint8_t {
  active,  // carries packets at the rate of `step`
  asleep   // carries nothing; runs at `step` once awake
};
[[nodiscard]] std::string_view to_text(Mode mode);

// The state a channel is in or, while `changing`, the one it is on the way to. A changing channel
// carries nothing before `until`.
struct State {
  Mode mode = Mode::active;
  RateStep step{};
  bool changing = false;
  TimePoint until{};  // zero unless changing

  bool operator==(const State&) const = default;
};

constexpr State active(RateStep step) { return {Mode::active, step}; }
constexpr State asleep(RateStep step) { return {Mode::asleep, step}; }
constexpr State changing(State to, TimePoint until) { return {to.mode, to.step, true, until}; }

}  // namespace ebb::policy
