// SPDX-License-Identifier: Apache-2.0
//
// News of congested channels among the switches of a circle (routing.hpp). A switch tells the
// others when what it has to say changes, and they hear of it a link's latency later. News say only
// "changed", so those of one moment may come in any order.
#include "partition.hpp"

namespace ebb::netsim {

using topology::ChannelId;
using topology::NodeId;

// A channel is congested when more waits for it than twice the mean of its switch's channels and a
// packet.
void Partition::review_news(std::uint32_t node) {
  const auto channels = world_.build.routing.news_channels(NodeId{node});
  const auto count = static_cast<std::int64_t>(channels.size());
  std::int64_t all = world_.build.hardware.packet.count() * count;
  for (const ChannelId one : channels) all += 2 * world_.channels[index(one)].queued_bits;
  const routing::NewsCircle circle = world_.build.routing.news_circle(NodeId{node});
  std::uint32_t number = (node - index(circle.first)) * circle.channels_each;
  for (const ChannelId one : channels) {
    const bool congested = world_.channels[index(one)].queued_bits * count > all;
    std::uint8_t& known = world_.congested[world_.news_place(node, number)];
    if ((known != 0) != congested) {
      known ^= 1U;
      tell_news(node, circle, number);
    }
    ++number;
  }
}

void Partition::tell_news(std::uint32_t node, const routing::NewsCircle& circle,
                          std::uint32_t number) {
  for (const ChannelId link : world_.build.graph.outputs(NodeId{node})) {
    const FixedChannel& fixed = world_.fixed[index(link)];
    if (fixed.target - index(circle.first) >= circle.switches) continue;
    const auto place = static_cast<std::uint32_t>(world_.news_place(fixed.target, number));
    tell({now_ + fixed.latency, node, fixed.target, place}, What::news);
  }
}

void Partition::hear_news(std::uint32_t place) { world_.congested[place] ^= 1U; }

// What the switch has heard of the channel that a packet's direct way depends on.
bool Partition::is_congested_ahead(NodeId at, NodeId destination) const {
  const auto number = world_.build.routing.news_ahead(at, destination);
  return number && world_.congested[world_.news_place(index(at), *number)] != 0;
}

}  // namespace ebb::netsim
