// SPDX-License-Identifier: Apache-2.0
//
// The interfaces of a host, in several planes or on several switches of one network. Its messages
// are fetched by the first of them and, each as it is created, handed to the interface on which it
// waits for the least. A message arrives by the interface of the same number: its packets arrive in
// the order in which they are sent, whatever those of other interfaces do.
#pragma once

#include "channel_view.hpp"
#include "nic.hpp"
#include "partition_state.hpp"

#include <cstdint>
#include <utility>

namespace ebb::netsim {

class HostInterfaces {
 public:
  explicit HostInterfaces(PartitionState& part) : part_(part), net_(part.net), view_(part) {}

  // Messages that have been created leave their source. Whether the triggers of the interface have
  // something to look at.
  bool fetch_created(Nic& nic) {
    if (net_.interfaces == 1) return net_.fetch_created(nic, part_.now());
    while (nic.next && nic.next->at <= part_.now()) dispatch(nic);
    return net_.waiting_at_host(net_.host_of(nic.channel), part_.now()) > DataSize{};
  }

 private:
  [[gnu::noinline]] void dispatch(Nic& first) {
    const std::uint32_t host = net_.host_of(first.channel);
    const std::uint32_t number = choose(first, host);
    first.next_interface = static_cast<std::uint16_t>((number + 1) % net_.interfaces);
    SequencedMessage message = net_.take_next(first);
    message.message.destination += number * net_.hosts;
    const std::uint32_t interface = number * net_.hosts + host;
    const std::uint32_t lane = net_.config.hardware.lane_of(message.message.service);
    net_.transmit_state(interface, lane).backlog.push(message);
    if (number > 0) part_.calendar.try_send_at(net_.nics[interface].channel, part_.now());
  }

  // Interfaces take turns; one that is closed, or has more to send, misses its turn.
  [[nodiscard]] std::uint32_t choose(const Nic& first, std::uint32_t host) const {
    std::uint32_t best = 0;
    std::pair<bool, std::int64_t> least = {true, INT64_MAX};
    for (std::uint32_t i = 0; i < net_.interfaces; ++i) {
      const std::uint32_t number = (first.next_interface + i) % net_.interfaces;
      const std::uint32_t interface = number * net_.hosts + host;
      const ChannelId channel = net_.nics[interface].channel;
      const std::pair<bool, std::int64_t> cost = {view_.is_closed(channel),
                                                  view_.depth(channel) + waiting_bits(interface)};
      if (i > 0 && cost >= least) continue;
      best = number;
      least = cost;
    }
    return best;
  }

  // Of the messages that it was given; the one that is handed out is not among them yet.
  [[nodiscard]] std::int64_t waiting_bits(std::uint32_t interface) const {
    std::int64_t bits = 0;
    for (std::uint32_t lane = 0; lane < net_.lanes.count(); ++lane)
      bits += net_.transmit_state(interface, lane).waiting().count();
    return bits;
  }

  PartitionState& part_;
  NetworkState& net_;
  ChannelView view_;
};

}  // namespace ebb::netsim
