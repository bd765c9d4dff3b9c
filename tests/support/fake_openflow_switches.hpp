// SPDX-License-Identifier: Apache-2.0
//
// All switches of a fabric in one process, as a controller sees them: each speaks OpenFlow over its
// own connection, takes rules and orders, counts what its ports would have sent, lets ports go down
// and up a little later, and hands probes over its cables. It forwards nothing.
#pragma once

#include "ebb/openflow/message.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/transport/loop.hpp"
#include "ebb/transport/stream.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ebb::test {

// Share of its rate that every channel sends that is awake and not bypassed.
using Load = std::function<double()>;

class FakeOpenFlowSwitches {
 public:
  // Connects to the controller as soon as it is there. Keeps references.
  FakeOpenFlowSwitches(transport::Loop& loop, const topology::Graph& graph,
                       transport::Address controller, Load load);

  // The switch closes its connection and does not come again until it is told to.
  void leave(std::uint32_t device);
  void come_back(std::uint32_t device);
  // A cable is cut: both ports see that the link is down.
  void cut(topology::LinkId link);
  // Groups and flows that the switch was given in bundles.
  [[nodiscard]] std::uint32_t installed(std::uint32_t device) const {
    return switches_[device].installed;
  }
  // Whether the port of that channel is administratively down.
  [[nodiscard]] bool is_down(topology::ChannelId end) const { return channels_[index(end)].down; }

 private:
  using Clock = transport::Clock;
  struct Switch {
    std::optional<transport::Stream> stream;
    openflow::Framer framer;
    bool away = false;  // by leave()
    std::uint32_t installed = 0;
  };
  struct Channel {
    bool cut = false;       // its cable
    bool down = false;      // its port, on purpose
    bool bypassed = false;  // its group prefers the detour
    double bytes = 0;       // sent until ...
    Clock::time_point at;   // ... then
  };

  void connect_some();
  bool connect(std::uint32_t device);
  void come_again(std::uint32_t device);
  void received(std::uint32_t device, std::span<const std::byte> bytes);
  void send(std::uint32_t device, std::uint32_t xid, openflow::Body body);

  template <class Other>
  void answer(std::uint32_t /*device*/, std::uint32_t /*xid*/, const Other& /*body*/) {}
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::EchoRequest& echo);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::FeaturesRequest& ask);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::PortsRequest& ask);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::PortStatsRequest& ask);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::FlowStatsRequest& ask);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::GroupsRequest& ask);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::BarrierRequest& ask);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::RoleRequest& ask);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::BundleControl& control);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::BundleAdd& add);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::PortMod& mod);
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::PacketOut& packet);

  [[nodiscard]] openflow::Port port(topology::ChannelId end) const;
  [[nodiscard]] openflow::PortCounters counters(topology::ChannelId end);
  [[nodiscard]] bool live(topology::ChannelId end) const;
  // Counts up to now, before something changes.
  void settle(topology::ChannelId end);
  void tell_port(topology::ChannelId end);

  transport::Loop& loop_;
  const topology::Graph& graph_;
  transport::Address controller_;
  Load load_;
  std::uint32_t next_ = 0;  // to connect
  std::vector<Switch> switches_;
  std::vector<Channel> channels_;
};

}  // namespace ebb::test
