// SPDX-License-Identifier: Apache-2.0
//
// The power groups of all switches of a network, numbered: those of a switch stand together, one
// kind after the other. Each belongs to the partition of its switch.
#pragma once

#include "channel.hpp"

#include "ebb/netsim/switch_group.hpp"
#include "ebb/power/group_numbers.hpp"
#include "ebb/topology/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

// One group of one switch.
struct GroupState {
  std::uint32_t awake = 0;      // of what depends on it: outputs or groups that are not asleep, nor
                                // about to be
  std::uint32_t meter = 0;      // in the ledger of the owner
  bool metered_asleep = false;  // the ledger knows that it is
  TimePoint last_asleep{};      // when the latest of what depends on it fell asleep, or will
  TimePoint asleep_from = kNever;  // may lie ahead
  TimePoint wake_begin{};          // of the latest wake; may lie ahead, and it sleeps until then
  TimePoint ready{};               // when it has woken

  [[nodiscard]] bool asleep(TimePoint at) const { return asleep_from <= at || at < wake_begin; }
};

class SwitchGroups {
 public:
  SwitchGroups() = default;
  // Outputs of a switch are its ports in the order of the graph. A group none of whose ports has a
  // channel is asleep from the beginning, if it can be.
  SwitchGroups(std::vector<SwitchGroup> groups, const topology::Graph& graph);

  [[nodiscard]] bool empty() const { return groups_.empty(); }
  [[nodiscard]] const std::vector<SwitchGroup>& kinds() const { return groups_; }
  [[nodiscard]] const SwitchGroup& kind(std::size_t number) const {
    return groups_[numbers_.kind_of(number % numbers_.size())];
  }
  [[nodiscard]] GroupState& state(std::size_t number) { return states_[number]; }
  [[nodiscard]] const GroupState& state(std::size_t number) const { return states_[number]; }

  // The first of a kind in a switch.
  [[nodiscard]] std::size_t first(std::uint32_t of_switch, std::size_t kind) const {
    return of_switch * numbers_.size() + numbers_.first(kind);
  }
  // What has to be awake before a group can wake.
  [[nodiscard]] std::optional<std::size_t> before(std::size_t number) const;
  // The groups that the port of an output of a switch depends on directly.
  template <class Visit>  // (number)
  void for_each_of_output(std::uint32_t of_switch, ChannelId output, Visit visit) const {
    const std::size_t first = of_switch * numbers_.size();
    numbers_.for_each_of_port(port_[index(output)],
                              [&](std::size_t number) { visit(first + number); });
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return states_.capacity() * sizeof(GroupState) + port_.capacity() * sizeof(std::uint32_t);
  }

 private:
  void count_what_depends(const topology::Graph& graph);

  std::vector<SwitchGroup> groups_;
  power::GroupNumbers numbers_;      // of a switch
  std::vector<std::uint32_t> port_;  // by channel
  std::vector<GroupState> states_;
};

}  // namespace ebb::netsim
