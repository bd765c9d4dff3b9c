// SPDX-License-Identifier: Apache-2.0
//
// The links of a simulated network, as switches see them: each end is up or down, and a link
// carries packets while both are up. Simulated time passes when it is asked something, as it does
// for whoever asks a real switch.
#pragma once

#include "ebb/drivers/port_driver.hpp"
#include "ebb/netsim/network.hpp"
#include "ebb/topology/graph.hpp"

#include <string>
#include <vector>

namespace ebb::simulated {

struct Pace {
  Duration question = std::chrono::microseconds(10);  // that passes with each
  DataSize packet = bytes(2048);                      // of the network's hardware
};

class Cables {
 public:
  // Both outlive it.
  Cables(netsim::Network& network, const topology::Graph& graph, Pace pace);

  void pass_time();
  // An end is the channel that leaves there. Empty, or why not.
  [[nodiscard]] std::string set_end(topology::ChannelId end, bool up);
  // Of what leaves there.
  [[nodiscard]] std::string set_rate(topology::ChannelId end, DataRate rate);

  [[nodiscard]] drivers::PortFound found(topology::ChannelId end) const;
  [[nodiscard]] DataRate rate(topology::ChannelId end) const;
  // The simulator counts what was sent, not in how many packets: at least so many as are full.
  [[nodiscard]] drivers::PortTraffic traffic(topology::ChannelId end) const;

 private:
  [[nodiscard]] std::string apply(topology::ChannelId channel, const policy::Order& order);
  [[nodiscard]] bool carries(topology::ChannelId channel) const;
  [[nodiscard]] std::span<const DataRate> ladder(topology::ChannelId channel) const;

  netsim::Network& network_;
  const topology::Graph& graph_;
  Pace pace_;
  std::vector<bool> down_;  // by channel: the end that it leaves
};

}  // namespace ebb::simulated
