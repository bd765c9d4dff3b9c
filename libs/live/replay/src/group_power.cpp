// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/group_power.hpp"

namespace ebb::replay {

using topology::ChannelId;
using topology::LinkId;

GroupPower::GroupPower(std::span<const netsim::SwitchGroup> groups, const topology::Graph& graph)
    : kinds_(groups.begin(), groups.end()), numbers_(netsim::group_numbers(groups)) {
  if (kinds_.empty()) return;
  ends_.resize(graph.channel_count());
  awake_.resize(graph.switch_count() * numbers_.size());
  // All asleep, as far as they can, until a port needs them.
  for (std::size_t number = 0; number < awake_.size(); ++number)
    power_ = power_ + (kind(number).wake ? kind(number).asleep : kind(number).awake);
  for (std::uint32_t device = 0; device < graph.switch_count(); ++device) {
    std::uint32_t port = 0;
    for (const ChannelId output : graph.outputs(graph.switch_node(device))) {
      End& end = ends_[index(output)];
      end = {.device = device, .port = port++, .is_switch = true};
      for_each_at(end, [&](std::size_t number) { wake(number); });
    }
  }
}

// What a group comes after that never sleeps does not sleep either (power::validate).
void GroupPower::wake(std::size_t number) {
  if (awake_[number]++ > 0 || !kind(number).wake) return;
  power_ = power_ + kind(number).awake - kind(number).asleep;
  const std::size_t in_switch = number % numbers_.size();
  if (const auto before = numbers_.before(in_switch)) wake(number - in_switch + *before);
}

void GroupPower::sleep(std::size_t number) {
  if (--awake_[number] > 0 || !kind(number).wake) return;
  power_ = power_ - (kind(number).awake - kind(number).asleep);
  const std::size_t in_switch = number % numbers_.size();
  if (const auto before = numbers_.before(in_switch)) sleep(number - in_switch + *before);
}

void GroupPower::set_asleep(LinkId link, bool asleep) {
  if (kinds_.empty()) return;
  const ChannelId forth = topology::forward(link);
  for (const ChannelId channel : {forth, topology::reverse(forth)}) {
    const End& end = ends_[index(channel)];
    if (!end.is_switch) continue;
    for_each_at(end, [&](std::size_t number) {
      if (asleep) {
        sleep(number);
      } else {
        wake(number);
      }
    });
  }
}

}  // namespace ebb::replay
