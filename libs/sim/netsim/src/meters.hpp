// SPDX-License-Identifier: Apache-2.0
//
// The energy account of one partition: its channels, the power groups of its switches and, where
// they are metered, the components of its nodes.
//
// The two ends of a change are known when it is ordered, but lie ahead: they enter the ledger
// later, when the next change comes or the account is read, so they cost no event. Work of
// components is counted as it is done and becomes energy when the account is closed: energy is
// linear in counts, so nothing is rounded. docs/models/components.md has the equations.
#pragma once

#include "partition_state.hpp"

#include "ebb/power/ledger.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ebb::netsim {

class Meters {
 public:
  explicit Meters(PartitionState& part) : part_(part), net_(part.net) {}

  // A new account, from now on.
  void start();
  // Of its channels, or of one, up to now.
  [[nodiscard]] Energy channel_energy();
  [[nodiscard]] Energy channel_energy(ChannelId channel);
  [[nodiscard]] Energy energy_between_switches();
  [[nodiscard]] power::Ledger close();

  // Enters what of the channel's latest change lies before `until`.
  void enter_change(ChannelId channel, TimePoint until);
  // Enters that a power group of a switch has fallen asleep or begun to wake, if it has by now.
  void enter_group(std::size_t number);

 private:
  [[nodiscard]] power::MeterClass channel_class(std::size_t rate_table) const;
  [[nodiscard]] power::MeterStart meter_start(ChannelId channel);
  template <class Visit>  // (channel): those that the partition owns
  void for_each_channel(Visit visit) const;

  void add_switches(std::vector<power::MeterClass>& classes,
                    std::vector<power::MeterStart>& meters);
  void add_groups(std::size_t kind, std::vector<power::MeterClass>& classes,
                  std::vector<power::MeterStart>& meters);
  void enter_groups();

  // components.cpp
  void add_components(std::vector<power::MeterClass>& classes,
                      std::vector<power::MeterStart>& meters);
  void charge_components();
  template <class Visit>  // (kind of component, node, number of the switch or host)
  void for_each_component(Visit visit) const;

  PartitionState& part_;
  NetworkState& net_;
  std::optional<power::Ledger> ledger_;
  std::size_t first_component_meter_ = 0;  // in the ledger
  std::vector<NodeWork> work_before_;      // the account; by node
};

// Time in which a packet passes through a buffer.
struct Passage {
  TimePoint begin{};
  Duration time{};
};

// A packet was in cells of a buffer of the node from `in` to `out`.
void count_cells(NetworkState& net, NodeId node, std::uint32_t bits, Passage in, Passage out);
// The same for the buffer that it came into, which it filled as fast as its channel ran then; it
// begins to leave at `begin`.
void count_input_cells(NetworkState& net, const Packet& packet, TimePoint begin, Duration leaving);

}  // namespace ebb::netsim
