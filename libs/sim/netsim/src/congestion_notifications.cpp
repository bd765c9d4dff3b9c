// SPDX-License-Identifier: Apache-2.0
#include "congestion_notifications.hpp"

namespace ebb::netsim {

void CongestionNotifications::review(NodeId node) {
  const auto channels = net_.notifications->channels(node);
  const auto count = static_cast<std::int64_t>(channels.size());
  std::int64_t all = net_.config.hardware.packet.count() * count;
  for (const ChannelId one : channels) all += 2 * net_.channels[one].queued_bits;
  const routing::NotificationGroup group = net_.notifications->group(node);
  std::uint32_t number = (index(node) - index(group.first)) * group.channels_each;
  for (const ChannelId one : channels) {
    const bool congested = net_.channels[one].queued_bits * count > all;
    std::uint8_t& known = net_.congested[net_.notification_place(node, number)];
    if ((known != 0) != congested) {
      known ^= 1U;
      send(node, group, number);
    }
    ++number;
  }
}

void CongestionNotifications::send(NodeId node, const routing::NotificationGroup& group,
                                   std::uint32_t number) {
  for (const ChannelId link : net_.config.graph.outputs(node)) {
    const FixedChannel& fixed = net_.fixed(link);
    if (index(fixed.target) - index(group.first) >= group.switches) continue;
    const auto place = static_cast<std::uint32_t>(net_.notification_place(fixed.target, number));
    part_.exchange.send(node, fixed.target, part_.now() + fixed.latency,
                        EventKind::congestion_notification, place);
  }
}

}  // namespace ebb::netsim
