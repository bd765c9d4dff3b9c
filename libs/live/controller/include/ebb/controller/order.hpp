// SPDX-License-Identifier: Apache-2.0
//
// What the controller asks of a switch, whatever driver carries it there. Every order has the
// serial of its link: an order that was overtaken is not sent, and its answer is ignored.
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <variant>

namespace ebb::controller {

// One end of a link: the channel that leaves the switch there. `index(source(channel))` is the
// switch, and its port has the number that ebb rules gives it.
using End = topology::ChannelId;

// Which bucket of the fast-failover group of this end's output comes first: the output itself, or
// its detour.
struct SetFailoverPreference {
  End end{};
  bool detour = false;
  std::uint32_t serial = 0;  // tells the answer to this order from that to an earlier one

  bool operator==(const SetFailoverPreference&) const = default;
};

// Administratively: a port that is down draws what a sleeping port draws and carries nothing.
struct SetPort {
  End end{};
  bool up = false;
  std::uint32_t serial = 0;  // as above

  bool operator==(const SetPort&) const = default;
};

// The end sends at the rate of that step of its link's rate table from now on. What waits stays.
struct SetRate {
  End end{};
  policy::RateLevel rate_level{};
  std::uint32_t serial = 0;  // as above

  bool operator==(const SetRate&) const = default;
};

using Order = std::variant<SetFailoverPreference, SetPort, SetRate>;

[[nodiscard]] End end_of(const Order& order);

}  // namespace ebb::controller
