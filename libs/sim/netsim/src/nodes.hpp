// SPDX-License-Identifier: Apache-2.0
//
// How much of switches and network cards is modelled beside their ports: a parameter of templates,
// so that what a network does not have costs nothing.
//   PlainNodes     one virtual lane, network cards that take no time, nothing counted
//   DetailedNodes  virtual lanes in turn, DMA times, work of components
//   GatedNodes     the same with cells of buffers that are cut off from power while they are empty
#pragma once

#include "meters.hpp"
#include "network_state.hpp"

#include <algorithm>
#include <cstdint>

namespace ebb::netsim {

class PlainNodes {
 public:
  explicit PlainNodes(NetworkState& /*net*/) {}

  // Virtual lanes: calls try_lane(lane) in turn until it is true.
  template <class TryLane>
  bool first_lane(ChannelId /*channel*/, TryLane try_lane) const {
    return try_lane(std::uint8_t{0});
  }
  void sent(ChannelId /*channel*/, std::uint8_t /*vc*/, std::uint32_t /*bits*/) const {}
  [[nodiscard]] static std::uint8_t first_vc(const Packet& /*packet*/) { return 0; }

  // Network cards: when a packet that is known from `from` on is in the card, and when one that
  // arrived is in memory.
  [[nodiscard]] static TimePoint fetched(Nic& /*nic*/, TimePoint from, std::uint32_t /*bits*/) {
    return from;
  }
  static void begin(Nic& /*nic*/, TimePoint /*now*/) {}
  [[nodiscard]] static TimePoint stored(std::uint32_t /*host*/, TimePoint arrived,
                                        DataSize /*size*/) {
    return arrived;
  }

  // Components.
  void count(NodeId /*node*/, std::uint32_t /*packets*/, std::int64_t /*bits*/) const {}
  void left_input(const Packet& /*packet*/, TimePoint /*begin*/, Duration /*leaving*/) const {}
  void left_output(NodeId /*node*/, const Packet& /*packet*/, TimePoint /*begin*/,
                   Duration /*leaving*/) const {}
  static void moved_to_output(Packet& /*packet*/, TimePoint /*at*/) {}
};

class DetailedNodes {
 public:
  explicit DetailedNodes(NetworkState& net) : net_(net), nic_(net.config.hardware.nic) {}

  template <class TryLane>
  bool first_lane(ChannelId channel, TryLane try_lane) const {
    for (const std::uint8_t lane : net_.lanes.order(net_.turns[channel])) {
      if (try_lane(lane)) return true;
    }
    return false;
  }
  void sent(ChannelId channel, std::uint8_t vc, std::uint32_t bits) const {
    net_.lanes.spend(net_.turns[channel], static_cast<std::uint8_t>(vc / net_.channels_of_lane),
                     bits);
  }
  [[nodiscard]] std::uint8_t first_vc(const Packet& packet) const {
    return static_cast<std::uint8_t>(packet.input_vc - packet.input_vc % net_.channels_of_lane);
  }

  [[nodiscard]] TimePoint fetched(Nic& nic, TimePoint from, std::uint32_t bits) const {
    nic.dma_free = std::max(from, nic.dma_free) + nic_.dma_time(ebb::bits(bits));
    return nic.dma_free;
  }
  static void begin(Nic& nic, TimePoint now) { nic.dma_free = std::max(nic.dma_free, now); }
  // One packet after the other.
  [[nodiscard]] TimePoint stored(std::uint32_t host, TimePoint arrived, DataSize size) const {
    TimePoint& stored = net_.nics[host].stored;
    stored = std::max(stored, arrived) + nic_.dma_time(size);
    return stored;
  }

  void count(NodeId node, std::uint32_t packets, std::int64_t bits) const {
    net_.work[node].packets += packets;
    net_.work[node].bits += bits;
  }
  void left_input(const Packet& /*packet*/, TimePoint /*begin*/, Duration /*leaving*/) const {}
  void left_output(NodeId /*node*/, const Packet& /*packet*/, TimePoint /*begin*/,
                   Duration /*leaving*/) const {}
  static void moved_to_output(Packet& /*packet*/, TimePoint /*at*/) {}

 protected:
  NetworkState& net_;

 private:
  const NicHardware& nic_;
};

class GatedNodes : public DetailedNodes {
 public:
  using DetailedNodes::DetailedNodes;

  void left_input(const Packet& packet, TimePoint begin, Duration leaving) const {
    count_input_cells(net_, packet, begin, leaving);
  }
  void left_output(NodeId node, const Packet& packet, TimePoint begin, Duration leaving) const {
    count_cells(net_, node, packet.bits, {packet.tail, {}}, {begin, leaving});
  }
  // From then on `tail` says since when it is in the output buffer; it cannot be sent before.
  static void moved_to_output(Packet& packet, TimePoint at) { packet.tail = at; }
};

}  // namespace ebb::netsim
