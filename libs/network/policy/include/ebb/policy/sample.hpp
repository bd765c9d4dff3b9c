// SPDX-License-Identifier: Apache-2.0
//
// What a policy is told: samples of all channels, and the next-hop sets of the routing.
//
// A sample is what the world saw since it last looked, one entry per channel, ascending by id.
//
// utilisation of a channel = busy / window, both exact. `window` is the whole time since the
// previous sample, whatever the channel did in it; `busy` is the part of transmissions that falls
// inside: a packet still on the wire counts up to now, one that began before counts from then.
// The first sample is taken at the start, with windows of zero.
//
// `wake_stall` is the time in which something waited for a channel that was asleep or changing,
// counted when it ends. It is the price of saving power, seen from the channel.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/policy/action.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/energy.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ebb::policy {

struct ChannelSample {
  ChannelId id{};
  ChannelId reverse{};           // the other direction of the link; `id` itself when there is none
  std::uint32_t device = 0;      // that sends on it, by the world's number
  bool to_host = false;          // leads out of the network
  std::uint8_t tier = 0;         // 0: routes rely on it; others have longer detours
  std::uint8_t rate_levels = 1;  // how many entries its rate table has
  Power slowest;                 // what it draws at the first level ...
  Power full;                    // ... and at the last
  Duration window{};
  Duration busy{};
  Duration wake_stall{};
  DataSize sent;    // that left completely in the window
  DataSize queued;  // that waits now, the packet on the wire not counted
  State state;

  bool operator==(const ChannelSample&) const = default;
};

struct Sample {
  TimePoint at{};
  std::span<const ChannelSample> channels;  // owned by the caller, valid during the call
};

// What a policy may rely on: ids strictly ascend, 0 <= busy <= window, sizes, powers and the wake
// stall are not negative, the rate level is in the rate table, `until` is zero unless changing, two
// channels that name each other as reverse do so mutually. Errors carry the path "channels[i]";
// worlds whose samples come from outside ask before they hand a sample over.
[[nodiscard]] Errors check(const Sample& sample);

// Position of the channel in the sample. A sample may lack channels.
[[nodiscard]] std::optional<std::size_t> find(const Sample& sample, ChannelId id);

// One row of a forwarding table with several outputs. A packet that is at `device` for
// `destination` may leave by any of `channels`, so at least one of them must stay open. A
// destination can have several rows at a device, when what packets may do depends on where they
// have been. Channels that are in no row, such as those of hosts, have no backup.
struct NextHopSet {
  std::uint32_t device = 0;  // as in a sample
  std::uint32_t destination = 0;
  std::vector<ChannelId> channels;  // that leave the device, ascending

  bool operator==(const NextHopSet&) const = default;
};

// What a policy may rely on: rows ascend by device, then destination; channels of a row ascend
// strictly and there is one at least; a channel leaves one device. Errors carry the path
// "next_hops[i]".
[[nodiscard]] Errors check(std::span<const NextHopSet> next_hops);

}  // namespace ebb::policy
