// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/channel_model.hpp"

#include "ebb/power/model.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace ebb::netsim {
namespace {

Duration value_or(const std::optional<power::Sourced<Duration>>& given, Duration otherwise) {
  return given ? given->value : otherwise;
}

// How long the supply takes from nothing to what the step needs.
Duration supply_time(const power::Ladder& ladder, const power::LadderStep& step) {
  if (!ladder.supply_per_us || !step.supply) return {};
  constexpr Duration kMicrosecond = std::chrono::microseconds(1);
  return kMicrosecond * step.supply->value.count() / ladder.supply_per_us->value.count();
}

// The step at which a woken channel runs at first. Rates that the graph leaves out do not count.
std::optional<policy::RateStep> wake_step(const ChannelModel& model, const power::Ladder& ladder) {
  if (!ladder.wake_rate) return std::nullopt;
  for (std::size_t i = 0; i < model.steps.size(); ++i) {
    if (model.steps[i].rate >= ladder.wake_rate->value) {
      return policy::RateStep{static_cast<std::uint8_t>(i)};
    }
  }
  return std::nullopt;
}

ChannelModel model_of(const topology::RateLadder& rates, const power::Ladder& ladder, Power full,
                      Errors& errors) {
  ChannelModel model;
  for (const DataRate rate : rates) {
    const power::LadderStep* step = power::step_at(ladder, rate);
    if (step == nullptr) {
      errors.push_back({fmt::format("the ladder has no step of {}", to_text(rate)), {}});
      continue;
    }
    model.steps.push_back(
        {rate, step->lanes, scale(full, step->relative_power.value), supply_time(ladder, *step)});
  }
  model.rate_change = value_or(ladder.rate_change, {});
  model.lane_change = value_or(ladder.lane_change, model.rate_change);
  if (ladder.sleep) {
    model.sleep = ChannelModel::Sleep{scale(full, ladder.sleep->value), value_or(ladder.wake, {}),
                                      wake_step(model, ladder)};
  }
  return model;
}

}  // namespace

Duration ChannelModel::change_time(policy::State from, policy::State to) const {
  if (to.mode == policy::Mode::asleep) return {};
  if (from.mode == policy::Mode::asleep) return sleep->wake;
  if (from.step == to.step) return {};
  const Step& before = steps[index(from.step)];
  const Step& after = steps[index(to.step)];
  const Duration supply = std::chrono::abs(after.supply - before.supply);
  return std::max(before.lanes == after.lanes ? rate_change : lane_change, supply);
}

Result<std::vector<ChannelModel>> channel_models(const topology::Graph& graph,
                                                 const power::Ladder& ladder, Power full) {
  Errors errors;
  std::vector<ChannelModel> models;
  for (const topology::RateLadder& rates : graph.ladders()) {
    models.push_back(model_of(rates, ladder, full, errors));
  }
  if (!errors.empty()) return fail(std::move(errors));
  return models;
}

}  // namespace ebb::netsim
