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
#include <set>
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
                       transport::Address controller, Load load,
                       transport::StreamOptions streams = {});

  // The switch closes its connection and does not come again until it is told to.
  void leave(std::uint32_t device);
  void come_back(std::uint32_t device);
  // A cable is cut, or mended: both ports see it.
  void cut(topology::LinkId link, bool is_cut = true);
  // Frames that leave by that end are lost, or no longer; ports stay up.
  void lose(topology::ChannelId end, bool lost) { channels_[index(end)].lossy = lost; }
  // The cables of two links are swapped: frames of one come out at the far end of the other.
  void swap_cables(topology::LinkId one, topology::LinkId two);
  // The switch does not answer questions for its counters, and answers everything else.
  void freeze_counters(std::uint32_t device, bool frozen) { switches_[device].frozen = frozen; }
  // The switch does not say that a port has changed.
  void mute_ports(std::uint32_t device, bool muted) { switches_[device].muted = muted; }
  // The switch does not say which groups it has.
  void mute_groups(std::uint32_t device, bool muted) { switches_[device].hides_groups = muted; }
  // So many of the next bundles are refused.
  void refuse_bundles(std::uint32_t device, std::uint32_t count) {
    switches_[device].refuses = count;
  }
  // A group of that output prefers its detour.
  [[nodiscard]] bool is_bypassed(topology::ChannelId end) const {
    return channels_[index(end)].bypassed;
  }
  // It comes back with all its ports enabled, as after a loss of power.
  void come_back_rebooted(std::uint32_t device);
  // From now on the switch says that another controller is its MASTER, with a generation of 2^62,
  // or again that who asks is.
  void deny_mastership(std::uint32_t device, bool denies);
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
    bool frozen = false;
    bool muted = false;
    bool hides_groups = false;
    std::uint32_t refuses = 0;
  };
  struct Channel {
    bool cut = false;          // its cable
    bool lossy = false;        // frames that it sends are lost
    bool down = false;         // its port, on purpose
    bool bypassed = false;     // its group prefers the detour
    std::uint64_t probes = 0;  // that it sent
    double wanted = 0;         // bytes that came for it, whether it or its detour sent them
    double bytes = 0;          // sent until ...
    Clock::time_point at;      // ... then
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
  void answer(std::uint32_t device, std::uint32_t xid, const openflow::GroupStatsRequest& ask);
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
  transport::StreamOptions streams_;
  std::set<std::uint32_t> denying_;  // by deny_mastership()
  std::uint32_t next_ = 0;           // to connect
  std::vector<Switch> switches_;
  std::vector<Channel> channels_;
  std::vector<topology::ChannelId> leads_to_;  // by channel: whose far end its frames come out at
};

}  // namespace ebb::test
