// SPDX-License-Identifier: Apache-2.0
//
// What a policy is told of channels: a part that only the partition of a channel knows, and a part
// that is the same everywhere.
#pragma once

#include "network_state.hpp"

#include "ebb/netsim/report.hpp"
#include "ebb/policy/sample.hpp"

#include <cstdint>

namespace ebb::netsim {

// Up to now; what is on the wire counts for the part that has been sent.
[[nodiscard]] ChannelUse use_of(const Channel& channel, TimePoint now);

// What of a channel's sample only its own partition knows.
struct Seen {
  Duration busy{};
  Duration wake_stall{};
  DataSize sent;
  DataSize queued;
  policy::State state;
};

// Since it was last called for the channel, by the partition that owns it.
[[nodiscard]] Seen see(NetworkState& net, ChannelId which, TimePoint now);
[[nodiscard]] inline Seen seen_of(const policy::ChannelSample& sample) {
  return {sample.busy, sample.wake_stall, sample.sent, sample.queued, sample.state};
}
// `window` is the time since then.
[[nodiscard]] policy::ChannelSample sample_of(const NetworkState& net, ChannelId which,
                                              const Seen& seen, Duration window);

}  // namespace ebb::netsim
