// SPDX-License-Identifier: Apache-2.0
#include "announcements.hpp"

#include <algorithm>

namespace ebb::netsim {

Duration announcing_time(const NetworkState& net, ChannelId from_host) {
  const Duration passing = net.fixed(from_host).latency + net.config.hardware.switch_latency;
  return net.model_of(from_host).sleep->wake + kMostHops * passing;
}

void Announcements::announce(ChannelId from_host, const SequencedMessage& message, std::uint8_t vc,
                             TimePoint at) {
  announce(from_host, message.message.destination, message.number, vc, at);
}

void Announcements::announce(ChannelId from_host, std::uint32_t destination, std::uint32_t number,
                             std::uint8_t vc, TimePoint at) {
  const PacketIndex made = part_.packets.take();
  part_.packets[made] = {.tail = at,
                         .source = net_.host_of(from_host),
                         .destination = destination,
                         .message = number,
                         .route = {},
                         .input_vc = vc};
  send(from_host, made);
}

ExpectedMessage Announcements::arrive(NodeId at, PacketIndex arrived, std::uint8_t first_vc,
                                      routing::Candidates& scratch) {
  Packet& announcement = part_.packets[arrived];
  const Output output = router_.route(at, announcement, first_vc, scratch);
  announcement.tail = std::max(announcement.tail,
                               drained(output.channel, net_.channels[output.channel].queued_bits));
  const ExpectedMessage expected{output.channel, announcement.tail};
  announcement.input_vc = output.vc;
  if (net_.fixed(output.channel).to_host) {
    part_.packets.give_back(arrived);
  } else {
    send(output.channel, arrived);
  }
  return expected;
}

TimePoint Announcements::ready(ChannelId which) const {
  const TimePoint free_at = net_.channels[which].free_at;
  return free_at == kNever ? part_.now() + net_.model_of(which).sleep->wake
                           : std::max(free_at, part_.now());
}

TimePoint Announcements::drained(ChannelId which, std::int64_t waiting_bits) const {
  const std::uint8_t level = net_.channels[which].rate_level;
  return ready(which) +
         serialization_time(bits(waiting_bits), net_.model_of(which).rate_levels[level].rate);
}

// A switch passes packets on when they are complete, or so much earlier as cut-through allows.
void Announcements::send(ChannelId channel, PacketIndex announced) {
  const FixedChannel& fixed = net_.fixed(channel);
  const Duration passing = fixed.latency + net_.config.hardware.switch_latency;
  const Duration received = net_.transmission_time(channel, net_.packet_bits);
  Packet& announcement = part_.packets[announced];
  announcement.tail += passing + received - std::min(received, net_.cut_through);
  announcement.input_channel = channel;
  announcement.input_cut = fixed.cut;
  const TimePoint at = part_.now() + passing;
  if (!fixed.cut) return part_.calendar.schedule_arrival(channel, at, announced);
  part_.exchange.enqueue(fixed.target, at).packets.push_back({at, channel, announcement});
  part_.packets.give_back(announced);
}

}  // namespace ebb::netsim
