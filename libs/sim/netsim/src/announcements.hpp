// SPDX-License-Identifier: Apache-2.0
//
// Announcements of messages: the network card of a host tells the channels of a message's way when
// to expect it, and those that sleep are awake by then (policy::WakeWhenAnnounced).
//
// An announcement goes from switch to switch as the message will, in the time that an empty network
// would take for the head of a packet. It needs neither room in buffers nor time on channels, and
// passes those that sleep: links have a slow control channel that is always there, as the low-power
// idle of IEEE 802.3az has its refresh signals. It takes the outputs that a packet would take at
// that moment; a packet that finds another one better later is not bound to them.
//
// In the simulator it is a packet of no bits, whose `tail` is when the message is expected.
#pragma once

#include "partition_state.hpp"
#include "router.hpp"

namespace ebb::netsim {

// How long before a message is sent it has to be announced, so that all channels of its way are
// awake: as long as they take to wake, and as an announcement takes to reach the last of them.
inline constexpr int kMostHops = 16;
[[nodiscard]] Duration announcing_time(const NetworkState& net, ChannelId from_host);

inline bool is_announcement(const Packet& packet) { return packet.bits == 0; }

// A message will take the channel, and is expected there at the time.
struct ExpectedMessage {
  ChannelId channel{};
  TimePoint at{};
};

class Announcements {
 public:
  Announcements(PartitionState& part, Router& router)
      : part_(part), net_(part.net), router_(router) {}

  // The channel awaits messages, or of a host: announces them.
  [[nodiscard]] bool awaits(ChannelId channel) const {
    return net_.channels[channel].armed && net_.triggers[channel].awaits_messages();
  }

  // When the channel carries, if it is woken now where it sleeps.
  [[nodiscard]] TimePoint ready(ChannelId channel) const;
  // When it has sent so much after that.
  [[nodiscard]] TimePoint drained(ChannelId channel, std::int64_t waiting_bits) const;

  // The host will send the message at the time, its first packet on the virtual channel.
  void announce(ChannelId from_host, const SequencedMessage& message, std::uint8_t vc,
                TimePoint at);

  // All that the program of the host has planned and whose time has come. Calls expect(time) for
  // each: the channel of the host expects it, too.
  template <class Expect>
  void announce_planned(ChannelId from_host, Expect expect) {
    // In several planes the way is not known before the message is.
    if (net_.closed_loop == nullptr || net_.interfaces > 1) return;
    while (const auto planned = net_.closed_loop->next_planned(net_.host_of(from_host))) {
      announce(from_host, planned->destination, 0, 0, planned->at);
      expect(planned->at);
    }
  }

  // An announcement is at a switch, and goes on. Gives what its next channel has to expect.
  [[nodiscard]] ExpectedMessage arrive(NodeId at, PacketIndex arrived, std::uint8_t first_vc,
                                       routing::Candidates& scratch);

 private:
  void announce(ChannelId from_host, std::uint32_t destination, std::uint32_t number,
                std::uint8_t vc, TimePoint at);
  void send(ChannelId channel, PacketIndex announcement);

  PartitionState& part_;
  NetworkState& net_;
  Router& router_;
};

}  // namespace ebb::netsim
