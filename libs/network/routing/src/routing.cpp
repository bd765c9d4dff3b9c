// SPDX-License-Identifier: Apache-2.0
#include "ebb/routing/routing.hpp"

namespace ebb::routing {

Start Routing::start(NodeId /*source_host*/, NodeId /*destination_host*/,
                     RandomStream& /*random*/) const {
  return {};
}

std::vector<RouteState> Routing::all_starts(NodeId /*source_host*/,
                                            NodeId /*destination_host*/) const {
  return {RouteState{}};
}

int Routing::tier(ChannelId /*channel*/) const { return 0; }

NewsCircle Routing::news_circle(NodeId /*at*/) const { return {}; }

std::span<const ChannelId> Routing::news_channels(NodeId /*at*/) const { return {}; }

std::optional<std::uint32_t> Routing::news_ahead(NodeId /*at*/, NodeId /*destination*/) const {
  return std::nullopt;
}

}  // namespace ebb::routing
