// SPDX-License-Identifier: Apache-2.0
//
// The states a channel can be in, what it draws in each, and how long it takes from one to another.
// One model per ladder of the graph.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/channel.hpp"
#include "ebb/power/part.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"

#include <optional>
#include <vector>

namespace ebb::netsim {

struct ChannelModel {
  struct Step {
    DataRate rate;
    int lanes = 1;
    Power power;
    Duration supply{};  // in which the supply comes up from nothing to what the rate needs

    bool operator==(const Step&) const = default;
  };
  struct Sleep {
    Power power;
    Duration wake{};
    // A channel that wakes runs at this step until its supply is up. None: at its own at once.
    std::optional<policy::RateStep> wakes_at;

    bool operator==(const Sleep&) const = default;
  };

  std::vector<Step> steps;  // ascending by rate
  Duration rate_change{};   // between steps with as many lanes, or as long as the supply takes
  Duration lane_change{};   // between others
  std::optional<Sleep> sleep;

  bool operator==(const ChannelModel&) const = default;

  [[nodiscard]] Power power(policy::State state) const {
    return state.mode == policy::Mode::asleep ? sleep->power : steps[index(state.step)].power;
  }
  // How long the channel carries nothing. Falling asleep takes no time.
  [[nodiscard]] Duration change_time(policy::State from, policy::State to) const;
};

// The models of a graph's ladders: rates from the graph, behaviour from `ladder`, a channel at full
// rate drawing `full`. Refuses rates that the ladder does not have.
[[nodiscard]] Result<std::vector<ChannelModel>> channel_models(const topology::Graph& graph,
                                                               const power::Ladder& ladder,
                                                               Power full);

}  // namespace ebb::netsim
