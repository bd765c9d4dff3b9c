// SPDX-License-Identifier: Apache-2.0
#include "meters.hpp"

#include "ebb/core/check.hpp"
#include "ebb/netsim/report.hpp"
#include "ebb/power/power_groups.hpp"
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

// Of the meter of a power group of a switch.
constexpr StateIndex kGroupOn{0};
constexpr StateIndex kGroupAsleep{1};

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
  add_switches(classes, meters);
  if (net_.config.components) add_components(classes, meters);
  ledger_.emplace(std::move(classes), meters, part_.now());
}

// What a switch draws beside its groups has a class of its own, unless they are all of it.
void Meters::add_switches(std::vector<power::MeterClass>& classes,
                          std::vector<power::MeterStart>& meters) {
  const std::vector<SwitchGroup>& kinds = net_.groups.kinds();
  Power rest = net_.config.switch_core;
  for (const SwitchGroup& kind : kinds) rest -= kind.awake * kind.count;
  EBB_CHECK(rest >= Power{}, "groups draw no more than the switch beside its channels");
  const bool are_all = !kinds.empty() && kinds.front().name == power::kCoreGroup;
  if (!are_all) {
    const ClassIndex own{static_cast<std::uint8_t>(classes.size())};
    classes.push_back({kSwitchCores, {"on"}});
    for (std::uint32_t s = 0; s < net_.config.graph.switch_count(); ++s) {
      if (part_.owns(net_.config.graph.switch_node(s)))
        meters.push_back({.number = s, .meter_class = own, .power = rest, .state = kGroupOn});
    }
  }
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) add_groups(kind, classes, meters);
}

void Meters::add_groups(std::size_t kind, std::vector<power::MeterClass>& classes,
                        std::vector<power::MeterStart>& meters) {
  const SwitchGroup& group = net_.groups.kinds()[kind];
  const ClassIndex own{static_cast<std::uint8_t>(classes.size())};
  classes.push_back({kSwitchClasses + group.name, {"on", "asleep"}});
  for (std::uint32_t s = 0; s < net_.config.graph.switch_count(); ++s) {
    if (!part_.owns(net_.config.graph.switch_node(s))) continue;
    for (std::uint32_t i = 0; i < group.count; ++i) {
      GroupState& one = net_.groups.state(net_.groups.first(s, kind) + i);
      one.meter = static_cast<std::uint32_t>(meters.size());
      one.metered_asleep = one.asleep(part_.now());
      meters.push_back({.number = s * group.count + i,
                        .meter_class = own,
                        .power = one.metered_asleep ? group.asleep : group.awake,
                        .state = one.metered_asleep ? kGroupAsleep : kGroupOn});
    }
  }
}

// When it began to sleep, or to wake, may have lain ahead when that was ordered.
void Meters::enter_group(std::size_t number) {
  if (!ledger_) return;
  GroupState& group = net_.groups.state(number);
  if (group.asleep(part_.now()) == group.metered_asleep) return;
  const SwitchGroup& kind = net_.groups.kind(number);
  group.metered_asleep = !group.metered_asleep;
  const bool asleep = group.metered_asleep;
  ledger_->switch_power(MeterIndex{group.meter}, asleep ? group.asleep_from : group.wake_begin,
                        asleep ? kind.asleep : kind.awake, asleep ? kGroupAsleep : kGroupOn);
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

Energy Meters::energy_between_switches() {
  Energy energy;
  for_each_channel([&](ChannelId channel) {
    const FixedChannel& fixed = net_.fixed(channel);
    if (!fixed.from_host && !fixed.to_host) energy += channel_energy(channel);
  });
  return energy;
}

Energy Meters::channel_energy(ChannelId channel) {
  EBB_CHECK(ledger_.has_value(), "no account has been started");
  enter_change(channel, part_.now());
  return ledger_->energy_until(MeterIndex{net_.meter_of[channel]}, part_.now());
}

void Meters::enter_groups() {
  for (std::size_t kind = 0; kind < net_.groups.kinds().size(); ++kind) {
    for (std::uint32_t s = 0; s < net_.config.graph.switch_count(); ++s) {
      if (!part_.owns(net_.config.graph.switch_node(s))) continue;
      for (std::uint32_t i = 0; i < net_.groups.kinds()[kind].count; ++i)
        enter_group(net_.groups.first(s, kind) + i);
    }
  }
}

power::Ledger Meters::close() {
  EBB_CHECK(ledger_.has_value(), "no account has been started");
  for_each_channel([&](ChannelId channel) { enter_change(channel, part_.now()); });
  enter_groups();
  if (net_.config.components) charge_components();
  ledger_->close(part_.now());
  power::Ledger closed = std::move(*ledger_);
  ledger_.reset();
  return closed;
}

}  // namespace ebb::netsim
