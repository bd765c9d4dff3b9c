// SPDX-License-Identifier: Apache-2.0
#include "channel_samples.hpp"

#include <utility>

namespace ebb::netsim {

ChannelUse use_of(const Channel& channel, TimePoint now) {
  if (channel.wire_end <= now) return {channel.busy, bits(channel.sent_bits)};
  return {channel.busy - (channel.wire_end - now), bits(channel.sent_bits - channel.wire_bits)};
}

Seen see(NetworkState& net, ChannelId which, TimePoint now) {
  const ChannelUse so_far = use_of(net.channels[which], now);
  ChannelControl& control = net.controls[which];
  const Seen seen{so_far.busy - control.sampled_busy, std::exchange(control.wake_stall, {}),
                  so_far.sent - bits(control.sampled_bits), net.waiting(which, now),
                  net.state(which, now)};
  control.sampled_busy = so_far.busy;
  control.sampled_bits = so_far.sent.count();
  return seen;
}

policy::ChannelSample sample_of(const NetworkState& net, ChannelId which, const Seen& seen,
                                Duration window) {
  const auto& rate_levels = net.model_of(which).rate_levels;
  const FixedChannel& fixed = net.fixed(which);
  return {.id = policy::ChannelId{index(which)},
          .reverse = policy::ChannelId{index(topology::reverse(which))},
          .device = index(fixed.source),
          .to_host = fixed.to_host,
          .tier = fixed.tier,
          .rate_levels = static_cast<std::uint8_t>(rate_levels.size()),
          .slowest = rate_levels.front().power,
          .full = rate_levels.back().power,
          .window = window,
          .busy = seen.busy,
          .wake_stall = seen.wake_stall,
          .sent = seen.sent,
          .queued = seen.queued,
          .state = seen.state};
}

}  // namespace ebb::netsim
