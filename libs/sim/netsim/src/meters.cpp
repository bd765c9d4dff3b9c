// SPDX-License-Identifier: Apache-2.0
#include "meters.hpp"

#include "ebb/core/check.hpp"
#include "ebb/units/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace ebb::netsim {
namespace {

using power::ClassIndex;
using power::MeterIndex;
using power::power_while_changing;
using power::StateIndex;

// States of a channel's meter: asleep, changing, then the steps of its rate table.
constexpr StateIndex kAsleep{0};
constexpr StateIndex kChanging{1};

StateIndex meter_state(Setting state) {
  if (state.asleep()) return kAsleep;
  return StateIndex{static_cast<std::uint8_t>(index(state.rate_level) + 2)};
}

}  // namespace

power::MeterClass Meters::channel_class(std::size_t rate_table) const {
  const std::vector<ChannelModel>& models = net_.config.models;
  power::MeterClass result{models.size() == 1 ? "channel" : fmt::format("channel {}", rate_table),
                           {"asleep", "changing"}};
  for (const auto& rate_level : models[rate_table].rate_levels)
    result.states.push_back(to_text(rate_level.rate));
  return result;
}

power::MeterStart Meters::meter_start(ChannelId channel) {
  const ChannelModel& model = net_.model_of(channel);
  ChannelControl& control = net_.controls[channel];
  power::MeterStart start{.number = index(channel),
                          .meter_class = ClassIndex{net_.fixed(channel).model},
                          .power = {},
                          .state = {}};
  if (part_.now() < control.change_begin) {
    control.metered = 0;
    start.power = model.power(control.before.state());
    start.state = meter_state(control.before);
  } else if (part_.now() < control.change_end) {
    control.metered = 1;
    start.power =
        power_while_changing(model.power(control.before.state()), model.power(control.now.state()));
    start.state = kChanging;
  } else {
    control.metered = 2;
    start.power = model.power(control.now.state());
    start.state = meter_state(control.now);
  }
  return start;
}

template <class Visit>
void Meters::for_each_channel(Visit visit) const {
  for (const ChannelId channel : part_.channels) visit(channel);
}

void Meters::start() {
  std::vector<power::MeterClass> classes;
  std::vector<power::MeterStart> meters;
  for (std::size_t rate_table = 0; rate_table < net_.config.models.size(); ++rate_table) {
    classes.push_back(channel_class(rate_table));
    for_each_channel([&](ChannelId channel) {
      if (net_.fixed(channel).model != rate_table) return;
      net_.meter_of[channel] = static_cast<std::uint32_t>(meters.size());
      meters.push_back(meter_start(channel));
    });
  }
  const ClassIndex core{static_cast<std::uint8_t>(classes.size())};
  classes.push_back({kSwitchCores, {"on"}});
  for (std::uint32_t s = 0; s < net_.config.graph.switch_count(); ++s) {
    if (!part_.owns(net_.config.graph.switch_node(s))) continue;
    meters.push_back({.number = s,
                      .meter_class = core,
                      .power = net_.config.switch_core,
                      .state = StateIndex{0}});
  }
  if (net_.config.components) add_components(classes, meters);
  ledger_.emplace(std::move(classes), meters, part_.now());
}

void Meters::enter_change(ChannelId channel, TimePoint until) {
  ChannelControl& control = net_.controls[channel];
  if (!ledger_ || control.metered == 2) return;
  const ChannelModel& model = net_.model_of(channel);
  const MeterIndex meter{net_.meter_of[channel]};
  if (control.metered == 0 && control.change_begin < until) {
    control.metered = 1;
    if (control.change_begin < control.change_end) {
      ledger_->switch_power(meter, control.change_begin,
                            power_while_changing(model.power(control.before.state()),
                                                 model.power(control.now.state())),
                            kChanging);
    }
  }
  if (control.metered == 1 && control.change_end < until) {
    control.metered = 2;
    ledger_->switch_power(meter, control.change_end, model.power(control.now.state()),
                          meter_state(control.now));
  }
}

Energy Meters::channel_energy() {
  Energy energy;
  for_each_channel([&](ChannelId channel) { energy += channel_energy(channel); });
  return energy;
}

Energy Meters::channel_energy(ChannelId channel) {
  EBB_CHECK(ledger_.has_value(), "no account has been started");
  enter_change(channel, part_.now());
  return ledger_->energy_until(MeterIndex{net_.meter_of[channel]}, part_.now());
}

power::Ledger Meters::close() {
  EBB_CHECK(ledger_.has_value(), "no account has been started");
  for_each_channel([&](ChannelId channel) { enter_change(channel, part_.now()); });
  if (net_.config.components) charge_components();
  ledger_->close(part_.now());
  power::Ledger closed = std::move(*ledger_);
  ledger_.reset();
  return closed;
}

}  // namespace ebb::netsim
