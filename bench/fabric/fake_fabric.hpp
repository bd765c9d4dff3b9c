// SPDX-License-Identifier: Apache-2.0
//
// All switches of a fabric in one process, as a controller sees them: each speaks OpenFlow over its
// own connection, takes rules and orders, counts what its ports would have sent, lets ports go down
// and up a little later, and hands probes over its cables. It forwards nothing.
#pragma once

#include "ebb/openflow/framer.hpp"
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

namespace ebb::bench {

// Share of its rate that every channel sends that is awake and not dodged.
using Load = std::function<double()>;

class FakeFabric {
 public:
  // Connects to the controller's socket as soon as it is there. Keeps references.
  FakeFabric(transport::Loop& loop, const topology::Graph& graph, std::string controller,
             Load load);

 private:
  using Clock = transport::Clock;
  struct Switch {
    std::optional<transport::Stream> stream;
    openflow::Framer framer;
  };
  struct Channel {
    bool down = false;     // its port, on purpose
    bool dodged = false;   // its group prefers the detour
    double bytes = 0;      // sent until ...
    Clock::time_point at;  // ... then
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
  std::string controller_;
  Load load_;
  std::uint32_t next_ = 0;  // to connect
  std::vector<Switch> switches_;
  std::vector<Channel> channels_;
};

}  // namespace ebb::bench
