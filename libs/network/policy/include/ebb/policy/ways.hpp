// SPDX-License-Identifier: Apache-2.0
//
// The ways that packets have: one row of a forwarding table with several outputs. A packet that is
// at `device` for `destination` may leave by any of `channels`, so at least one of them must stay
// open. A destination can have several rows at a device, when what packets may do depends on where
// they have been. Channels that are in no row, such as those of hosts, have no other way around
// them.
#pragma once

#include "ebb/core/error.hpp"
#include "ebb/policy/channel.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::policy {

struct Way {
  std::uint32_t device = 0;  // as in a sample
  std::uint32_t destination = 0;
  std::vector<ChannelId> channels;  // that leave the device, ascending

  bool operator==(const Way&) const = default;
};

// What a policy may rely on: rows ascend by device, then destination; channels of a row ascend
// strictly and there is one at least; a channel leaves one device. Errors carry the path "ways[i]".
[[nodiscard]] Errors check(std::span<const Way> ways);

}  // namespace ebb::policy
