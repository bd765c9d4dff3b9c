// SPDX-License-Identifier: Apache-2.0
//
// What the live controller asks of a switch, whatever driver carries it there.
#pragma once

#include "ebb/policy/channel.hpp"
#include "ebb/topology/graph.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace ebb::controller {

// One end of a link: the channel that leaves the switch there. `index(source(channel))` is the
// switch, and its port has the number that ebb rules gives it.
using End = topology::ChannelId;

// Which way frames take that the tables send to this end: straight, or by the detour of its output.
struct Prefer {
  End end{};
  bool detour = false;
  std::uint32_t serial = 0;  // tells the answer to this order from that to an earlier one

  bool operator==(const Prefer&) const = default;
};

// Administratively: a port that is down draws what a sleeping port draws and carries nothing.
struct SetPort {
  End end{};
  bool up = false;

  bool operator==(const SetPort&) const = default;
};

// The end sends at the rate of that step of its link's ladder from now on. What waits stays.
struct SetRate {
  End end{};
  policy::RateStep step{};
  std::uint32_t serial = 0;  // as above

  bool operator==(const SetRate&) const = default;
};

using Order = std::variant<Prefer, SetPort, SetRate>;

[[nodiscard]] End end_of(const Order& order);

}  // namespace ebb::controller
