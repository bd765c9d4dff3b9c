// SPDX-License-Identifier: Apache-2.0
//
// Moves traffic off the ports of an OpenFlow switch by the order of the buckets of its
// fast-failover groups (openflow_program.hpp): the bucket of a diverted port comes last.
#pragma once

#include "ebb/drivers/openflow_program.hpp"
#include "ebb/drivers/steering_driver.hpp"
#include "ebb/openflow/connection.hpp"

#include <memory>
#include <set>
#include <span>
#include <vector>

namespace ebb::drivers {

class OpenFlowSteering final : public SteeringDriver {
 public:
  // The switch holds the program of the table. `state` says which outputs are diverted; of the port
  // of an order, the order counts. What is passed by reference outlives the driver.
  OpenFlowSteering(openflow::Connection& connection, const topology::Graph& graph,
                   const forwarding::Table& table, FailoverState state);

  [[nodiscard]] std::string_view means() const override { return "fast-failover groups"; }
  void divert(forwarding::PortNumber port, bool away, const Done& done) override;
  void look(forwarding::PortNumber port, const Looked& looked) override;

  // Gives the groups of an output again, after the state of a link of its detour has changed.
  void renew(topology::ChannelId output, const Done& done);

 private:
  void set_groups(std::vector<openflow::GroupMod> groups, const Done& done);
  [[nodiscard]] std::optional<topology::ChannelId> output_at(forwarding::PortNumber port) const;

  openflow::Connection& connection_;
  const topology::Graph& graph_;
  const forwarding::Table& table_;
  FailoverState state_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);  // answers may come after we went
};

// Whether a switch with these groups and live ports sends frames by the port: a group takes its
// first bucket that is live. Rules send to a port without a group of its own directly.
[[nodiscard]] bool is_in_use(std::span<const openflow::GroupEntry> groups,
                             const std::set<forwarding::PortNumber>& live,
                             forwarding::PortNumber port);

}  // namespace ebb::drivers
