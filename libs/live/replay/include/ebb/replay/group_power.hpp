// SPDX-License-Identifier: Apache-2.0
//
// What the power groups of all switches draw, line cards, chip and fans, as links between them
// sleep: a group sleeps when the links of all of its ports do, and one that others come after when
// all of these do. Ports of hosts never sleep.
#pragma once

#include "ebb/netsim/switch_group.hpp"
#include "ebb/power/group_numbers.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/units/energy.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::replay {

class GroupPower {
 public:
  GroupPower() = default;  // no switch has any
  // All links awake. A group none of whose ports has a cable sleeps all the time, if it can.
  GroupPower(std::span<const netsim::SwitchGroup> groups, const topology::Graph& graph);

  [[nodiscard]] Power power() const { return power_; }
  // From now on. A link that is asleep already is not told so again, nor one that is awake.
  void set_asleep(topology::LinkId link, bool asleep);

 private:
  struct End {
    std::uint32_t device = 0;
    std::uint32_t port = 0;
    bool is_switch = false;
  };
  void sleep(std::size_t number);
  void wake(std::size_t number);
  [[nodiscard]] const netsim::SwitchGroup& kind(std::size_t number) const {
    return kinds_[numbers_.kind_of(number % numbers_.size())];
  }
  // Calls for each group that the port depends on directly, and counts groups of all switches.
  template <class Call>
  void for_each_at(const End& end, const Call& call) const {
    numbers_.for_each_of_port(
        end.port, [&](std::size_t number) { call(end.device * numbers_.size() + number); });
  }

  std::vector<netsim::SwitchGroup> kinds_;
  power::GroupNumbers numbers_;       // of a switch
  std::vector<End> ends_;             // by channel: the port that it leaves
  std::vector<std::uint32_t> awake_;  // by group of all switches: ports or groups that need it
  Power power_;
};

}  // namespace ebb::replay
