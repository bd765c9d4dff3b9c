// SPDX-License-Identifier: Apache-2.0
//
// Whether the switches at the two ends of a link forward by it now, as they say when they are
// asked.
#pragma once

#include "json_values.hpp"

#include "ebb/drivers/live_fabric.hpp"
#include "ebb/topology/graph.hpp"
#include "ebb/transport/loop.hpp"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ebb::runtime {

struct EndInUse {
  topology::ChannelId end{};
  std::string_view means;      // by which its switch moves traffic; empty: it is away
  std::optional<bool> in_use;  // nothing: it did not say, and why
  std::string why;
};

// Called once, after two seconds at the latest: an operator waits for it.
using EndsSeen = std::function<void(const std::array<EndInUse, 2>& ends)>;
void look_at_ends(transport::Loop& loop, const drivers::LiveFabric& live, topology::LinkId link,
                  const EndsSeen& seen);

[[nodiscard]] Json forwarding_json(const topology::Graph& graph,
                                   const std::array<EndInUse, 2>& ends);

}  // namespace ebb::runtime
