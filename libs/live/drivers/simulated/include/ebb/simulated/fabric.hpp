// SPDX-License-Identifier: Apache-2.0
//
// The controller of a live fabric on a simulated network: the same class, with its policy, safety
// rules and link machines, in the place of a policy of the simulator.
//
//   experiment.make_control = [&](netsim::Network& network, policy::Policy& policy) {
//     return std::make_unique<simulated::Fabric>(network, policy, setting);
//   };
//
// Ports tell their counters every safety.counter_interval, probes always come through, and switches
// do what they are told at once. A link whose ports go up carries packets after the wake time of
// the channel model, and frames come back to it when the controller says so.
#pragma once

#include "ebb/controller/controller.hpp"
#include "ebb/controller/safety.hpp"
#include "ebb/core/result.hpp"
#include "ebb/forwarding/address.hpp"
#include "ebb/forwarding/equal_cost.hpp"
#include "ebb/forwarding/reachability.hpp"
#include "ebb/forwarding/table.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/netsim/switch_group.hpp"
#include "ebb/policy/policy.hpp"
#include "ebb/power/port_watts.hpp"
#include "ebb/topology/graph.hpp"

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace ebb::simulated {

// What a fabric is, whoever runs it.
struct FabricSetting {
  const topology::Graph& graph;  // outlives it, as all that refers to it
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;  // by switch
  forwarding::SleepableLinks sleepable;
  controller::Safety safety;
  power::PortWatts port;
  // Of a network that others route, which is replayed and not run; none: the tables do.
  std::optional<forwarding::EqualCostPaths> equal_cost = std::nullopt;
  // That a replay charges beside the ports; a simulation has its own.
  std::vector<netsim::SwitchGroup> switch_groups = {};
};

// Refuses networks that have no tables.
[[nodiscard]] Result<FabricSetting> fabric_setting(const topology::Graph& graph,
                                                   const controller::Safety& safety,
                                                   const power::PortWatts& port);

class Fabric final : public netsim::NetworkControl {
 public:
  // All outlive it. The routing of the network executes the tables.
  Fabric(netsim::Network& network, policy::Policy& policy, const FabricSetting& setting);

  [[nodiscard]] TimePoint next() const override;
  void act() override;
  [[nodiscard]] netsim::OutcomeCounts outcomes() const override;

  [[nodiscard]] const controller::Controller& controller() const { return controller_; }

 private:
  void begin();
  void read_counters();
  void count_groups(std::uint32_t device);
  void hear_probes();
  void see_ports();
  void give_orders();
  // False: the channel is changing, and has to be told again.
  [[nodiscard]] bool give(const controller::Order& order);
  [[nodiscard]] bool set_port(topology::ChannelId end, bool up);
  [[nodiscard]] bool is_probed(topology::ChannelId channel) const;
  [[nodiscard]] bool carries(topology::LinkId link) const;
  [[nodiscard]] bool order_channel(topology::ChannelId channel, const policy::Order& order);

  netsim::Network& network_;
  const FabricSetting& setting_;
  const topology::Graph& graph_;
  forwarding::TableWalker walker_;
  controller::Controller controller_;
  std::vector<bool> down_;                  // by channel: the end that it leaves
  std::vector<std::uint64_t> group_bytes_;  // by channel, as its groups have counted last
  std::vector<TimePoint> next_groups_;      // by switch, when they count again
  std::vector<bool> live_;                  // by link: both ends, as the controller was told
  std::vector<controller::Order> waiting_;  // for channels that are changing
  std::set<topology::LinkId> coming_up_;
  TimePoint now_{};
  TimePoint next_counters_{};
  TimePoint next_probes_{};
  bool begun_ = false;
};

}  // namespace ebb::simulated
