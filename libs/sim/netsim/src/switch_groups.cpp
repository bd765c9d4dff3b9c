// SPDX-License-Identifier: Apache-2.0
//
// What a switch draws beside its channels: line cards, chip, processor, fans. A group sleeps as
// long as all that depends on it is asleep, and its wake time comes before that of the first output
// that wakes. A packet that comes to a sleeping switch therefore waits for the groups and the
// output.
#include "switch_groups.hpp"

#include "output_channels.hpp"

#include "ebb/core/check.hpp"
#include "ebb/power/power_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ebb::netsim {

std::vector<SwitchGroup> core_as_group(Power core, const SwitchSleep& sleep) {
  return {{.name = std::string(power::kCoreGroup),
           .awake = core,
           .asleep = sleep.power,
           .wake = sleep.wake,
           .after = std::nullopt}};
}

Result<std::vector<SwitchGroup>> switch_groups(std::span<const power::PowerGroup> groups, int ports,
                                               const topology::Graph& graph) {
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    const auto node = graph.switch_node(s);
    if (const std::size_t used = graph.outputs(node).size();
        used > static_cast<std::size_t>(ports)) {
      return fail(fmt::format("{} has {} links, more than the {} ports that the groups serve",
                              graph.name(node), used, ports));
    }
  }
  std::vector<SwitchGroup> made;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const power::PowerGroup& group = groups[i];
    made.push_back({.name = group.name,
                    .ports = static_cast<std::uint32_t>(group.ports.value_or(0)),
                    .count = static_cast<std::uint32_t>(power::count_of(group, ports)),
                    .awake = group.power.value,
                    .asleep = group.asleep.value_or(group.power).value,
                    .wake = group.wake ? std::optional(group.wake->value) : std::nullopt,
                    .after = power::group_before(groups, i)});
  }
  return made;
}

power::GroupNumbers group_numbers(std::span<const SwitchGroup> groups) {
  std::vector<power::GroupKind> kinds;
  kinds.reserve(groups.size());
  for (const SwitchGroup& group : groups) kinds.push_back({group.ports, group.count, group.after});
  return power::GroupNumbers(std::move(kinds));
}

SwitchGroups::SwitchGroups(std::vector<SwitchGroup> groups, const topology::Graph& graph)
    : groups_(std::move(groups)), numbers_(group_numbers(groups_)) {
  if (groups_.empty()) return;
  states_.resize(graph.switch_count() * numbers_.size());
  port_.resize(graph.channel_count());
  count_what_depends(graph);
}

// A group that can sleep counts for the one before it as long as it is in use.
void SwitchGroups::count_what_depends(const topology::Graph& graph) {
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
    std::uint32_t port = 0;
    for (const ChannelId output : graph.outputs(graph.switch_node(s))) {
      port_[index(output)] = port++;
      for_each_of_output(s, output, [&](std::size_t number) {
        for (std::optional<std::size_t> at = number; at; at = before(*at)) {
          if (states_[*at].awake++ > 0) break;
        }
      });
    }
  }
  for (std::size_t number = 0; number < states_.size(); ++number) {
    if (states_[number].awake == 0 && kind(number).wake) states_[number].asleep_from = TimePoint{};
  }
}

std::optional<std::size_t> SwitchGroups::before(std::size_t number) const {
  const std::size_t in_switch = number % numbers_.size();
  const auto before = numbers_.before(in_switch);
  return before ? std::optional(number - in_switch + *before) : std::nullopt;
}

// The channel has just been told to sleep; when that begins may lie ahead.
void OutputChannels::sleep_groups(ChannelId which) {
  if (net_.fixed(which).from_host) return;
  const std::uint32_t node = index(net_.source_of(which));
  const TimePoint from = net_.controls[which].change_begin;
  net_.groups.for_each_of_output(node, which, [&](std::size_t group) { sleep_group(group, from); });
}

// Something that depends on the group sleeps from then on.
void OutputChannels::sleep_group(std::size_t number, TimePoint from) {
  GroupState& group = net_.groups.state(number);
  meters_.enter_group(number);
  group.last_asleep = std::max(group.last_asleep, from);
  if (--group.awake > 0 || !net_.groups.kind(number).wake) return;
  group.asleep_from = group.last_asleep;
  if (const auto before = net_.groups.before(number)) sleep_group(*before, group.asleep_from);
}

// When all groups that the output depends on will be awake; those that sleep begin to wake.
TimePoint OutputChannels::wake_groups(ChannelId which) {
  TimePoint ready = now();
  net_.groups.for_each_of_output(index(net_.source_of(which)), which, [&](std::size_t group) {
    ready = std::max(ready, wake_group(group));
  });
  return ready;
}

TimePoint OutputChannels::wake_group(std::size_t number) {
  GroupState& group = net_.groups.state(number);
  const auto wake = net_.groups.kind(number).wake;
  if (group.awake++ > 0 || !wake) return group.ready;
  meters_.enter_group(number);
  const auto before = net_.groups.before(number);
  const TimePoint before_ready = before ? wake_group(*before) : TimePoint{};
  const bool slept = group.asleep_from <= now();
  group.asleep_from = kNever;
  if (!slept) return group.ready;
  group.wake_begin = std::max(now(), before_ready);
  group.ready = group.wake_begin + *wake;
  return group.ready;
}

void OutputChannels::wake_with_groups(ChannelId which, Setting to) {
  if (net_.fixed(which).from_host) return change(which, to);
  const Duration own =
      net_.model_of(which).change_time(net_.controls[which].now.state(), to.state());
  change(which, to, std::max(own, wake_groups(which) - now()));
}

}  // namespace ebb::netsim
