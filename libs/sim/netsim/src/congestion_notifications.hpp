// SPDX-License-Identifier: Apache-2.0
//
// Congestion notifications among the switches of a group (ebb/routing/congestion.hpp). A switch
// notifies the others when the state of a channel changes, and they receive it a link's latency
// later. A notification says only "changed", so those of one moment may come in any order.
#pragma once

#include "partition_state.hpp"

#include "ebb/routing/congestion.hpp"

#include <cstddef>
#include <cstdint>

namespace ebb::netsim {

class CongestionNotifications {
 public:
  explicit CongestionNotifications(PartitionState& part) : part_(part), net_(part.net) {}

  // What waits for a channel of the switch has changed. A channel is congested when more waits for
  // it than twice the mean of its switch's channels and a packet.
  void review(NodeId node);
  void receive(std::uint32_t place) { net_.congested[place] ^= 1U; }

 private:
  void send(NodeId node, const routing::NotificationGroup& group, std::uint32_t number);

  PartitionState& part_;
  NetworkState& net_;
};

}  // namespace ebb::netsim
