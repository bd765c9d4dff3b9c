// SPDX-License-Identifier: Apache-2.0
//
// Power groups for the switches of any graph: line cards of two ports each, which wake after the
// chip of their switch. All of them together draw less than a watt.
#pragma once

#include "ebb/netsim/switch_group.hpp"
#include "ebb/power/part.hpp"
#include "ebb/topology/graph.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace ebb::netsim {

inline std::vector<SwitchGroup> cards_after_chip(const topology::Graph& graph) {
  using namespace std::chrono_literals;
  std::size_t ports = 2;
  for (std::uint32_t s = 0; s < graph.switch_count(); ++s)
    ports = std::max(ports, (graph.outputs(graph.switch_node(s)).size() + 1) / 2 * 2);
  const power::PowerGroup card{.name = "card",
                               .ports = 2,
                               .power = {milliwatts(5)},
                               .asleep = power::Sourced<Power>{milliwatts(1)},
                               .wake = power::Sourced<Duration>{300ns},
                               .after = "chip"};
  const power::PowerGroup chip{.name = "chip",
                               .ports = {},
                               .power = {milliwatts(500)},
                               .asleep = power::Sourced<Power>{milliwatts(20)},
                               .wake = power::Sourced<Duration>{700ns},
                               .after = {}};
  const std::vector<power::PowerGroup> groups = {card, chip};
  return switch_groups(groups, static_cast<int>(ports), graph).value();
}

}  // namespace ebb::netsim
