// SPDX-License-Identifier: Apache-2.0
//
// What a live fabric may not do, whatever the policy asks for.
#pragma once

#include "ebb/controller/link_machine.hpp"

#include <chrono>
#include <cstdint>

namespace ebb::controller {

struct Safety {
  LinkTimes times;
  Duration awake_for = std::chrono::seconds(2);   // a link stays active before it sleeps again
  Duration asleep_for = std::chrono::seconds(1);  // and asleep before the policy may wake it
  Duration calm = std::chrono::seconds(5);        // without a failure before links sleep again
  // Between two decisions, however often the policy would like to: counters are read every tenth of
  // a second, and what a reading adds must not look like a burst.
  Duration least_period = std::chrono::milliseconds(500);
  Duration rate_for = std::chrono::seconds(1);  // a link keeps a rate before it is slowed
  // Highest utilisation that a detour or a slower rate may lead to.
  double spare = 0.5;
  std::uint32_t transitions_per_hour = 120;  // of a link, sleep and wake counted
  std::uint32_t at_once = 8;                 // links on their way to sleep or back

  bool operator==(const Safety&) const = default;
};

}  // namespace ebb::controller
