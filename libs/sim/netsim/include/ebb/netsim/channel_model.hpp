// SPDX-License-Identifier: Apache-2.0
//
// The states a channel can be in, what it draws in each, and how long it takes from one to another.
// One model per rate table of the graph.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/power/part.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"

#include <optional>
#include <vector>

namespace ebb::netsim {

struct ChannelModel {
  struct RateLevel {
    DataRate rate;
    int serdes_lanes = 1;
    Power power;
    Duration ramp_time{};  // in which the voltage ramps up from nothing to what the rate needs

    bool operator==(const RateLevel&) const = default;
  };
  struct Sleep {
    Power power;
    Duration wake{};
    // A channel that wakes runs at this level until its voltage ramp is over. None: at its own at
    // once.
    std::optional<policy::RateLevel> wakes_at;

    bool operator==(const Sleep&) const = default;
  };

  std::vector<RateLevel> rate_levels;  // ascending by rate
  Duration
      rate_change{};  // between levels with as many SerDes lanes, or as long as the voltage ramp
  Duration lane_change{};  // between others
  std::optional<Sleep> sleep;

  bool operator==(const ChannelModel&) const = default;

  [[nodiscard]] Power power(policy::State state) const {
    return state.mode == policy::Mode::asleep ? sleep->power
                                              : rate_levels[index(state.rate_level)].power;
  }
  // How long the channel carries nothing. Falling asleep takes no time.
  [[nodiscard]] Duration change_time(policy::State from, policy::State to) const;
};

// The models of a graph's rate tables: rates from the graph, behaviour from `rate_table`, a channel
// at full rate drawing `full`. Refuses rates that the rate table does not have.
[[nodiscard]] Result<std::vector<ChannelModel>> channel_models(const topology::Graph& graph,
                                                               const power::RateTable& rate_table,
                                                               Power full);

}  // namespace ebb::netsim
