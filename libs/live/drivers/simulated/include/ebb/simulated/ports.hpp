// SPDX-License-Identifier: Apache-2.0
//
// The ports of one switch of a simulated network, driven as those of a real one.
#pragma once

#include "ebb/simulated/cables.hpp"
#include "ebb/transport/loop.hpp"

#include <map>
#include <memory>

namespace ebb::simulated {

class Ports final : public drivers::PortDriver {
 public:
  // What it is made of outlives it. Drivers of several switches share the cables.
  Ports(transport::Loop& loop, Cables& cables, const topology::Graph& graph, std::uint32_t device,
        drivers::PortEvents events);

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
  Cables& cables_;
  drivers::PortEvents events_;
  std::map<forwarding::PortNumber, topology::ChannelId> ends_;
  std::map<forwarding::PortNumber, drivers::PortFound> told_;
  std::shared_ptr<bool> here_ = std::make_shared<bool>(true);
};

}  // namespace ebb::simulated
