// SPDX-License-Identifier: Apache-2.0
#include "channel_gathering.hpp"

namespace ebb::netsim {

ChannelGathering::ChannelGathering(const World& world)
    : ranks_(world.build.ranks), of_(ranks_.count()) {
  for (std::uint32_t which = 0; which < world.channels.size(); ++which) {
    of_[world.rank_of(world.partition_of(which))].push_back(which);
  }
}

}  // namespace ebb::netsim
