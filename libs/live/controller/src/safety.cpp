// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/safety.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

namespace ebb::controller {

std::optional<std::string> cannot_keep(const policy::Made& made, const Safety& safety) {
  if (made.policy->needs_independent_channels()) {
    return fmt::format(
        "'{}' gives each direction of a link a rate of its own, but a port has one rate both ways: "
        "it needs 'channels: paired'",
        made.name);
  }
  const auto idle = made.policy->shortest_idle();
  if (idle && *idle < safety.counter_interval) {
    return fmt::format(
        "'{}' lets links save power after {} idle, but counters are read every {} "
        "(safety.counter_interval): give a longer time ('unit' of latency-budget, 'idle' of "
        "others)",
        made.name, ebb::to_text(*idle), ebb::to_text(safety.counter_interval));
  }
  // Defaults are made for the simulator: live, they mean as often as is allowed.
  const Duration period = made.policy->sample_period();
  if (period < safety.min_decision_interval &&
      period != policy::make_policy(made.name, {})->policy->sample_period()) {
    return fmt::format(
        "'{}' decides every {}, but safety.min_decision_interval is {}: give a longer time, or a "
        "shorter interval",
        made.name, ebb::to_text(period), ebb::to_text(safety.min_decision_interval));
  }
  return std::nullopt;
}

}  // namespace ebb::controller
