// SPDX-License-Identifier: Apache-2.0
//
// Why nothing moves: from a packet that waits to the buffer it waits for, to a packet in that
// buffer, and so on until the chain closes or ends at a channel that cannot send.
#pragma once

#include "network_state.hpp"
#include "packet.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ebb::netsim {

class BlockedChain {
 public:
  // The packets of each partition of this rank.
  BlockedChain(const NetworkState& net, std::vector<const PacketPool*> packets, TimePoint now)
      : net_(net), packets_(std::move(packets)), now_(now) {}

  // Each line waits for what the next one says. On every rank the same.
  [[nodiscard]] std::vector<std::string> text() const;
  // At flow fidelity: channels for which data waits and that carry nothing.
  [[nodiscard]] std::vector<std::string> closed_channels() const;

 private:
  // A queue, and the packets in it.
  struct Place {
    ChannelId channel{};
    std::uint8_t vc = 0;
    bool operator==(const Place&) const = default;
  };

  [[nodiscard]] std::optional<Place> first_waiting() const;
  [[nodiscard]] std::optional<Place> waiting_in_buffer(Place buffer) const;
  // What the rank that knows it says.
  [[nodiscard]] std::optional<Place> first_of(const std::optional<Place>& here) const;
  [[nodiscard]] std::string text_of(const std::string& here) const;
  [[nodiscard]] bool holds_packet_of(Place place, Place buffer) const;
  [[nodiscard]] std::string why_waiting(Place place) const;
  [[nodiscard]] std::string name(ChannelId channel) const;
  [[nodiscard]] const VcQueue& queue(Place place) const {
    return net_.queue(place.channel, place.vc);
  }
  [[nodiscard]] const PacketPool& packets_of(Place place) const {
    return *packets_[net_.place_here(net_.partition_of(place.channel))];
  }

  const NetworkState& net_;
  std::vector<const PacketPool*> packets_;
  TimePoint now_;
};

}  // namespace ebb::netsim
