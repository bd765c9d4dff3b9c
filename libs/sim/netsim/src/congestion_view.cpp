// SPDX-License-Identifier: Apache-2.0
#include "congestion_view.hpp"

namespace ebb::netsim {

using routing::Candidate;

DataSize SwitchView::queued(ChannelId channel) const { return bits(view_.depth(channel)); }

DataSize SwitchView::missing_credits(const Candidate& candidate) const {
  if (net_.config.hardware.flow_control == FlowControl::pause) return {};
  return bits(view_.missing_credits(candidate.channel, vc_of(candidate)));
}

// There, through the switch, whole, and back; and what a sleeping channel may defer, where credits
// come back on one.
DataSize SwitchView::round_trip(ChannelId channel) const {
  const std::uint8_t level = net_.channels[channel].rate_level;
  const DataRate rate = net_.model_of(channel).rate_levels[level].rate;
  const Duration time = 2 * net_.fixed(channel).latency + net_.config.hardware.switch_latency;
  const DataSize carried = 2 * packet() + data_carried(rate, time);
  if (!net_.fixed(channel).defers_credits) return carried;
  return carried + bits(net_.config.hardware.input_buffer.count() / kDeferredCreditShare);
}

DataSize SwitchView::packet() const { return net_.config.hardware.packet; }

bool SwitchView::is_shut(const Candidate& candidate) const {
  return view_.is_shut(candidate.channel, vc_of(candidate));
}

bool SwitchView::is_reported_congested(std::uint32_t number) const {
  return net_.congested[net_.notification_place(at_, number)] != 0;
}

}  // namespace ebb::netsim
