// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/safety.hpp"

#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ebb::controller {
namespace {

bool acts_when_idle(const policy::Policy& policy) {
  const policy::Abilities acts_by = policy.acts_by();
  return std::any_of(acts_by.begin(), acts_by.end(), [](policy::Ability ability) {
    return ability == policy::Ability::slow_when_idle ||
           ability == policy::Ability::sleep_when_idle;
  });
}

}  // namespace

std::optional<std::string> cannot_keep(const policy::Made& made, const Safety& safety) {
  if (made.policy->needs_independent_channels()) {
    const bool can_pair = policy::make_policy(made.name, {{"channels", "paired"}}).has_value();
    return fmt::format(
        "'{}' gives each direction of a link a rate or a state of its own, but a port has one both "
        "ways{}",
        made.name, can_pair ? ": it needs 'channels: paired'" : "");
  }
  const auto idle = made.policy->shortest_idle();
  if (!idle && acts_when_idle(*made.policy)) {
    return fmt::format(
        "'{}' lets links save power by themselves, and does not say after which idle time at the "
        "shortest: live it has to be {} (safety.counter_interval) or longer",
        made.name, ebb::to_text(safety.counter_interval));
  }
  if (idle && *idle < safety.counter_interval) {
    return fmt::format(
        "'{}' lets links save power after {} idle, but counters are read every {} "
        "(safety.counter_interval): give a longer time ('unit' of latency-budget, 'idle' of "
        "others)",
        made.name, ebb::to_text(*idle), ebb::to_text(safety.counter_interval));
  }
  // Defaults are made for the simulator: live, they mean as often as is allowed.
  const Duration period = made.policy->sample_period();
  const auto registered = policy::make_policy(made.name, {});
  const bool is_default = registered && period == registered->policy->sample_period();
  if (period < safety.min_decision_interval && !is_default) {
    return fmt::format(
        "'{}' decides every {}, but safety.min_decision_interval is {}: give a longer time, or a "
        "shorter interval",
        made.name, ebb::to_text(period), ebb::to_text(safety.min_decision_interval));
  }
  return std::nullopt;
}

}  // namespace ebb::controller
