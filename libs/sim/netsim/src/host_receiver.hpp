// SPDX-License-Identifier: Apache-2.0
//
// Hosts take whatever arrives, put it into memory and say when a message is complete: to the
// observer, and to the host itself where that goes on by it.
#pragma once

#include "partition_state.hpp"

#include "ebb/netsim/network.hpp"

#include <absl/container/flat_hash_map.h>
#include <cstddef>
#include <cstdint>

namespace ebb::netsim {

template <class Nodes>
class HostReceiver {
 public:
  HostReceiver(PartitionState& part, const Nodes& nodes)
      : part_(part), net_(part.net), nodes_(nodes) {}

  // The last piece of a packet.
  void deliver(const Packet& packet, TimePoint arrived) {
    const DataSize size =
        ebb::bits((packet.flits - 1) * std::int64_t{net_.packet_bits} + packet.bits);
    const TimePoint at = nodes_.stored(packet.destination, arrived, size);
    nodes_.count(net_.config.graph.host_node(packet.destination), 1, size.count());
    const std::uint32_t from = net_.host_of_interface(packet.source);
    const std::uint32_t to = net_.host_of_interface(packet.destination);
    part_.observer.packet_delivered({from, to, packet.message, size, packet.sent, at});
    if (packet.message_packets > 1 && !is_last(packet)) return;
    // A message comes by one channel, so the packet that was sent last is the last to arrive.
    part_.observer.message_delivered({from, to, packet.message, packet.created, at});
    if (net_.closed_loop == nullptr) return;
    net_.closed_loop->delivered(from, to, packet.message, at);
    part_.calendar.try_send_at(net_.nics[to].channel, at);
  }

  // Messages of which some packets are still to come.
  [[nodiscard]] std::size_t incomplete() const { return missing_.size(); }

 private:
  [[nodiscard]] bool is_last(const Packet& packet) {
    const std::uint64_t key = std::uint64_t{packet.source} << 32U | packet.message;
    const auto entry = missing_.try_emplace(key, packet.message_packets).first;
    if (--entry->second > 0) return false;
    missing_.erase(entry);
    return true;
  }

  PartitionState& part_;
  NetworkState& net_;
  const Nodes& nodes_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> missing_;  // by (source, message)
};

}  // namespace ebb::netsim
