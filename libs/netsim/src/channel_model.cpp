// SPDX-License-Identifier: Apache-2.0
#include "ebb/netsim/channel_model.hpp"

#include "ebb/power/model.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::netsim {
namespace {

Duration value_or(const std::optional<power::Sourced<Duration>>& given, Duration otherwise) {
  return given ? given->value : otherwise;
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
    model.steps.push_back({rate, step->lanes, scale(full, step->relative_power.value)});
  }
  model.rate_change = value_or(ladder.rate_change, {});
  model.lane_change = value_or(ladder.lane_change, model.rate_change);
  if (ladder.sleep) {
    model.sleep = ChannelModel::Sleep{scale(full, ladder.sleep->value), value_or(ladder.wake, {})};
  }
  return model;
}

}  // namespace

Duration ChannelModel::change_time(policy::State from, policy::State to) const {
  if (to.mode == policy::Mode::asleep) return {};
  if (from.mode == policy::Mode::asleep) return sleep->wake;
  if (from.step == to.step) return {};
  const bool same_lanes = steps[index(from.step)].lanes == steps[index(to.step)].lanes;
  return same_lanes ? rate_change : lane_change;
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
