// SPDX-License-Identifier: Apache-2.0
//
// The ports of a switch that is managed over SNMP: IF-MIB for sleep and counters, Q-BRIDGE-MIB for
// PVIDs, MAU-MIB for rates. Port 3 is the interface that is called p3, or as Agent::interfaces
// says.
//
// Nothing comes by itself: that a port went up or down is seen when counters are read.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/drivers/live_fabric.hpp"
#include "ebb/drivers/port_driver.hpp"
#include "ebb/snmp/session.hpp"
#include "ebb/transport/loop.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace ebb::snmp {

class Ports final : public drivers::PortDriver {
 public:
  Ports(transport::Loop& loop, Agent agent, drivers::PortEvents events);

  // Known when the ports are: what the agent has the objects for.
  [[nodiscard]] drivers::PortAbilities can() const override;
  void find_ports(const Found& found) override;
  void read_counters() override;
  void set_port(forwarding::PortNumber port, bool up, const Done& done) override;
  void set_rate(forwarding::PortNumber port, DataRate rate, const Done& done) override;
  void set_pvid(forwarding::PortNumber port, std::uint16_t vlan, const Done& done) override;

 private:
  struct Port {
    Oid interface;
    Oid bridge_port;  // empty: it is not part of a bridge with VLANs
    Oid mau;          // empty: its rate cannot be set
    drivers::PortStatus found;
  };
  struct Order {
    Binding binding;
    Done done;
  };

  void read_names(const Found& found);
  void read_bridge_ports(const Found& found);
  void read_maus(const Found& found);
  // False when the driver went while it told what had changed.
  [[nodiscard]] bool learn_names(const Table& interfaces);
  void count(const Table& interfaces);
  void order(Binding binding, const Done& done);
  void send_order();
  void answered(const Reply& answer);
  [[nodiscard]] const Port* known(forwarding::PortNumber port, const Done& done);
  [[nodiscard]] Port* at_interface(const Oid& index);

  transport::Loop& loop_;
  drivers::PortEvents events_;
  std::string interfaces_;
  std::map<forwarding::PortNumber, Port> ports_;
  bool lost_ = false;  // the agent may have been started anew: it has forgotten what it was told
  std::deque<Order> orders_;  // the first is with the agent: a lost one must not overtake the next
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
  Session session_;
};

// For a fabric: each switch at its agent. An error when this ebb was built without SNMP.
[[nodiscard]] Result<drivers::PortsOn> ports_on(
    std::function<Agent(std::uint32_t device)> agent_of);

}  // namespace ebb::snmp
