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

// How long the voltage ramps up from nothing to what the level needs.
Duration ramp_time_of(const power::RateTable& rate_table, const power::RateTableEntry& step) {
  if (!rate_table.supply_per_us || !step.supply) return {};
  constexpr Duration kMicrosecond = std::chrono::microseconds(1);
  return kMicrosecond * step.supply->value.count() / rate_table.supply_per_us->value.count();
}

// The step at which a woken channel runs at first. Rates that the graph leaves out do not count.
std::optional<policy::RateLevel> wake_rate_level(const ChannelModel& model,
                                                 const power::RateTable& rate_table) {
  if (!rate_table.wake_rate) return std::nullopt;
  for (std::size_t i = 0; i < model.rate_levels.size(); ++i) {
    if (model.rate_levels[i].rate >= rate_table.wake_rate->value) {
      return policy::RateLevel{static_cast<std::uint8_t>(i)};
    }
  }
  return std::nullopt;
}

ChannelModel model_of(const topology::RateTable& rates, const power::RateTable& rate_table,
                      Power full, Errors& errors) {
  ChannelModel model;
  for (const DataRate rate : rates) {
    const power::RateTableEntry* step = power::step_at(rate_table, rate);
    if (step == nullptr) {
      errors.push_back({fmt::format("the rate table has no step of {}", to_text(rate)), {}});
      continue;
    }
    model.rate_levels.push_back({rate, step->lanes, scale(full, step->relative_power.value),
                                 ramp_time_of(rate_table, *step)});
  }
  model.rate_change = value_or(rate_table.rate_change, {});
  model.lane_change = value_or(rate_table.lane_change, model.rate_change);
  if (rate_table.sleep) {
    model.sleep =
        ChannelModel::Sleep{scale(full, rate_table.sleep->value), value_or(rate_table.wake, {}),
                            wake_rate_level(model, rate_table)};
  }
  return model;
}

}  // namespace

Duration ChannelModel::change_time(policy::State from, policy::State to) const {
  if (to.mode == policy::Mode::asleep) return {};
  if (from.mode == policy::Mode::asleep) return sleep->wake;
  if (from.rate_level == to.rate_level) return {};
  const RateLevel& before = rate_levels[index(from.rate_level)];
  const RateLevel& after = rate_levels[index(to.rate_level)];
  const Duration ramp = std::chrono::abs(after.ramp_time - before.ramp_time);
  return std::max(before.serdes_lanes == after.serdes_lanes ? rate_change : lane_change, ramp);
}

Result<std::vector<ChannelModel>> channel_models(const topology::Graph& graph,
                                                 const power::RateTable& rate_table, Power full) {
  Errors errors;
  std::vector<ChannelModel> models;
  for (const topology::RateTable& rates : graph.rate_tables()) {
    models.push_back(model_of(rates, rate_table, full, errors));
  }
  if (!errors.empty()) return fail(std::move(errors));
  return models;
}

}  // namespace ebb::netsim
