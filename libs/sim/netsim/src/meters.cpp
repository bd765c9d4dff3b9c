// SPDX-License-Identifier: Apache-2.0
//
// The energy account. The two ends of a change are known when it is ordered, but lie ahead: they
// enter the ledger later, when the next change comes or the account is read, so they cost no event.
#include "partition.hpp"

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

power::MeterClass Partition::channel_class(std::size_t rate_table) const {
  const std::vector<ChannelModel>& models = net_.config.models;
  power::MeterClass result{models.size() == 1 ? "channel" : fmt::format("channel {}", rate_table),
                           {"asleep", "changing"}};
  for (const auto& rate_level : models[rate_table].rate_levels)
    result.states.push_back(to_text(rate_level.rate));
  return result;
}

power::MeterStart Partition::meter_start(std::uint32_t which) {
  const ChannelModel& model = net_.model_of(which);
  ChannelControl& control = net_.controls[which];
  power::MeterStart start{.number = which,
                          .meter_class = ClassIndex{net_.fixed[which].model},
                          .power = {},
                          .state = {}};
  if (now_ < control.change_begin) {
    control.metered = 0;
    start.power = model.power(control.before.state());
    start.state = meter_state(control.before);
  } else if (now_ < control.change_end) {
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

void Partition::start_meters() {
  std::vector<power::MeterClass> classes;
  std::vector<power::MeterStart> meters;
  for (std::size_t rate_table = 0; rate_table < net_.config.models.size(); ++rate_table) {
    classes.push_back(channel_class(rate_table));
    for (std::uint32_t which = 0; which < net_.channels.size(); ++which) {
      if (net_.fixed[which].model != rate_table || !owns(which)) continue;
      net_.meter_of[which] = static_cast<std::uint32_t>(meters.size());
      meters.push_back(meter_start(which));
    }
  }
  const ClassIndex core{static_cast<std::uint8_t>(classes.size())};
  classes.push_back({kSwitchCores, {"on"}});
  for (std::uint32_t s = 0; s < net_.config.graph.switch_count(); ++s) {
    if (net_.owner_of(s) != number_) continue;
    meters.push_back({.number = s,
                      .meter_class = core,
                      .power = net_.config.switch_core,
                      .state = StateIndex{0}});
  }
  if (net_.config.components) add_component_meters(classes, meters);
  ledger_.emplace(std::move(classes), meters, now_);
}

// Enters what of the latest change lies before `until`.
void Partition::meter_change(std::uint32_t which, TimePoint until) {
  ChannelControl& control = net_.controls[which];
  if (!ledger_ || control.metered == 2) return;
  const ChannelModel& model = net_.model_of(which);
  const MeterIndex meter{net_.meter_of[which]};
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

Energy Partition::channel_energy() {
  Energy energy;
  for (std::uint32_t which = 0; which < net_.channels.size(); ++which) {
    if (owns(which)) energy += channel_energy(which);
  }
  return energy;
}

Energy Partition::channel_energy(std::uint32_t which) {
  EBB_CHECK(ledger_.has_value(), "no account has been started");
  meter_change(which, now_);
  return ledger_->energy_until(MeterIndex{net_.meter_of[which]}, now_);
}

power::Ledger Partition::close_meters() {
  EBB_CHECK(ledger_.has_value(), "no account has been started");
  for (std::uint32_t which = 0; which < net_.channels.size(); ++which) {
    if (owns(which)) meter_change(which, now_);
  }
  if (net_.config.components) charge_components();
  ledger_->close(now_);
  power::Ledger closed = std::move(*ledger_);
  ledger_.reset();
  return closed;
}

}  // namespace ebb::netsim
