// SPDX-License-Identifier: Apache-2.0
#include "parts_file_supplies.hpp"

#include <algorithm>

namespace ebb::files::parts {
namespace {

using power::Ladder;
using power::LadderStep;

bool has_supply(const LadderStep& step) { return step.supply.has_value(); }

// A supply that could not be read was reported then.
bool supply_written(const Value& entry, Diagnostics& errors) {
  return entry.is_map() && Section(entry, errors).find("supply");
}

void check_supply_is_there(const Value& entry, Diagnostics& errors) {
  if (supply_written(entry, errors)) return;
  entry.report(errors, "other steps have a 'supply': give one to every step, or to none");
}

void check_supply_ascends(const Value& entry, const LadderStep& before, const LadderStep& now,
                          Diagnostics& errors) {
  if (!before.supply || !now.supply || before.supply->value <= now.supply->value) return;
  entry.report(errors, fmt::format("the supply must not fall with the rate, but {} follows {}",
                                   to_text(now.supply->value), to_text(before.supply->value)));
}

void check_wake_rate(const Value& value, DataRate rate, const Ladder& ladder, Diagnostics& errors) {
  if (!ladder.sleep) value.report(errors, "a ladder without 'sleep' is never woken");
  const bool known = std::any_of(ladder.steps.begin(), ladder.steps.end(),
                                 [&](const LadderStep& step) { return step.rate == rate; });
  if (!known) value.report(errors, fmt::format("{} is not the rate of a step", to_text(rate)));
}

}  // namespace

void check_step_supplies(const std::vector<Value>& entries, const std::vector<LadderStep>& steps,
                         Diagnostics& errors) {
  if (std::none_of(steps.begin(), steps.end(), has_supply)) return;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    check_supply_is_there(entries[i], errors);
    if (i > 0) check_supply_ascends(entries[i], steps[i - 1], steps[i], errors);
  }
}

void read_supply_changes(Section& part, const Numbers& numbers, Ladder& ladder) {
  ladder.supply_per_us = numbers.find(part, "supply_per_us", kSupplies);
  const bool supplies = std::any_of(ladder.steps.begin(), ladder.steps.end(), has_supply);
  if (ladder.supply_per_us && !supplies) {
    part.find("supply_per_us")->report(part.errors(), "needs a 'supply' of every step");
  }
  ladder.wake_rate = numbers.find(part, "wake_rate", kRates);
  if (ladder.wake_rate)
    check_wake_rate(*part.find("wake_rate"), ladder.wake_rate->value, ladder, part.errors());
}

}  // namespace ebb::files::parts
