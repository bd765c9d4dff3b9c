// SPDX-License-Identifier: Apache-2.0
//
// What the components of one partition share: the arrays of the network, of which they touch the
// entries of their own nodes, the packets that are with these nodes, credits that are on their way
// to them, their events, and the way to other partitions.
#pragma once

#include "calendar.hpp"
#include "network_state.hpp"
#include "packet.hpp"
#include "partition_exchange.hpp"

#include <cstdint>
#include <vector>

namespace ebb::netsim {

struct PartitionState {
  PartitionState(NetworkState& network, Outbox& outbox, std::uint32_t its_number,
                 Observer& its_observer)
      : net(network),
        observer(its_observer),
        watched(its_observer.watches_channels()),
        number(its_number),
        calendar(network, packets),
        exchange(network, outbox, calendar, its_number) {
    for (std::uint32_t channel = 0; channel < net.channels.size(); ++channel)
      if (owns(ChannelId{channel})) channels.push_back(ChannelId{channel});
  }

  [[nodiscard]] TimePoint now() const { return calendar.now(); }
  [[nodiscard]] bool owns(NodeId node) const { return net.owner_of(node) == number; }
  // The node that sends on it.
  [[nodiscard]] bool owns(ChannelId channel) const { return owns(net.source_of(channel)); }

  // What happens up to now on the host of a closed loop may create messages.
  void advance_host(Nic& nic) {
    if (!net.is_first_interface(nic)) return;
    const std::uint32_t host = net.host_of(nic.channel);
    calendar.try_send_at(nic.channel, net.closed_loop->advance(host, now()));
    nic.next = net.messages.next(host);
  }

  NetworkState& net;
  Observer& observer;
  const bool watched;               // the observer hears of channels
  const std::uint32_t number;       // of all ranks' partitions
  std::vector<ChannelId> channels;  // that it owns, ascending
  PacketPool packets;
  CreditPool credits;
  Calendar calendar;
  Exchange exchange;
};

}  // namespace ebb::netsim
