// SPDX-License-Identifier: Apache-2.0
#include "../bubble_flow_control.hpp"
#include "../partition_of.hpp"

namespace ebb::netsim {

std::unique_ptr<Partition> packets_with_bubble(NetworkState& net, Outbox& outbox,
                                               std::uint32_t number, Observer& observer) {
  return partition_of<BubbleFlowControl, InputBuffers, PacketSwitching>(net, outbox, number,
                                                                        observer);
}

}  // namespace ebb::netsim
