// SPDX-License-Identifier: Apache-2.0
//
// What became of one link since the controller began: how often it entered each state, how long it
// slept, and the latest changes with their reasons.
#pragma once

#include "ebb/controller/controller.hpp"

#include <array>
#include <cstdint>
#include <deque>

namespace ebb::monitor {

inline constexpr std::array kLinkStates{
    controller::LinkState::active, controller::LinkState::draining, controller::LinkState::asleep,
    controller::LinkState::waking, controller::LinkState::failed};

class LinkHistory {
 public:
  // Begins active. Entries come in the order of time; those of a dry run are kept, not counted.
  void add(const controller::Entry& entry);

  [[nodiscard]] std::uint64_t entered(controller::LinkState state) const {
    return entered_.at(static_cast<std::size_t>(state));
  }
  [[nodiscard]] Duration asleep(TimePoint now) const;
  [[nodiscard]] const std::deque<controller::Entry>& last() const { return last_; }  // latest first

 private:
  std::array<std::uint64_t, kLinkStates.size()> entered_{};
  controller::LinkState state_ = controller::LinkState::active;
  TimePoint since_{};
  Duration asleep_before_{};
  std::deque<controller::Entry> last_;
};

}  // namespace ebb::monitor
