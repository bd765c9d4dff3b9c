// SPDX-License-Identifier: Apache-2.0
//
// Ports of a simulated network behind the interface of real ones: the same controller code drives
// both.
//
//   SimulatedLinks  the links as switches see them: each end is up or down, and a link carries
//   packets
//                   while both are up
//   Ports           the ports of one switch
//
// Simulated time passes with each request, as real time does for a request to a real switch.
#pragma once

#include "ebb/drivers/port_driver.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/transport/loop.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ebb::simulated {

struct RequestTiming {
  Duration per_request = std::chrono::microseconds(10);  // that passes with each
  DataSize packet = bytes(2048);                         // of the network's hardware
};

class SimulatedLinks {
 public:
  // Both outlive it.
  SimulatedLinks(netsim::Network& network, const topology::Graph& graph, RequestTiming timing);

  void pass_time();
  // An end is the channel that leaves there. Empty, or why not.
  [[nodiscard]] std::string set_end(topology::ChannelId end, bool up);
  // Of what leaves there.
  [[nodiscard]] std::string set_rate(topology::ChannelId end, DataRate rate);

  [[nodiscard]] drivers::PortStatus found(topology::ChannelId end) const;
  [[nodiscard]] DataRate rate(topology::ChannelId end) const;
  // The simulator counts what was sent, not in how many packets: at least so many as are full.
  [[nodiscard]] drivers::PortTraffic traffic(topology::ChannelId end) const;

 private:
  [[nodiscard]] std::string apply(topology::ChannelId channel, const policy::Order& order);
  [[nodiscard]] bool carries(topology::ChannelId channel) const;
  [[nodiscard]] std::span<const DataRate> rate_table(topology::ChannelId channel) const;

  netsim::Network& network_;
  const topology::Graph& graph_;
  RequestTiming timing_;
  std::vector<bool> down_;  // by channel: the end that it leaves
};

// The ports of one switch of a simulated network, driven as those of a real one.
class Ports final : public drivers::PortDriver {
 public:
  // What it is made of outlives it. Drivers of several switches share the cables.
  Ports(transport::Loop& loop, SimulatedLinks& cables, const topology::Graph& graph,
        std::uint32_t device, drivers::PortEvents events);

  [[nodiscard]] drivers::PortAbilities can() const override { return {.rates = true}; }
  void find_ports(const Found& found) override;
  void read_counters() override;
  void set_port(forwarding::PortNumber port, bool up, const Done& done) override;
  void set_rate(forwarding::PortNumber port, DataRate rate, const Done& done) override;
  void set_pvid(forwarding::PortNumber port, std::uint16_t vlan, const Done& done) override;

  bool answers = true;  // false: the switch is silent

 private:
  void later(std::function<void()> what);
  void order(forwarding::PortNumber port, const Done& done,
             std::function<std::string(topology::ChannelId)> change);
  void tell_changes();

  transport::Loop& loop_;
  SimulatedLinks& links_;
  drivers::PortEvents events_;
  std::map<forwarding::PortNumber, topology::ChannelId> ends_;
  std::map<forwarding::PortNumber, drivers::PortStatus> told_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
};

}  // namespace ebb::simulated
