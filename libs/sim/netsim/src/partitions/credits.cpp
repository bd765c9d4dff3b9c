// SPDX-License-Identifier: Apache-2.0
#include "../partition_of.hpp"

namespace ebb::netsim {

std::unique_ptr<Partition> packets_with_credits(NetworkState& net, Outbox& outbox,
                                                std::uint32_t number, Observer& observer) {
  return partition_of<CreditFlowControl, InputBuffers, PacketSwitching>(net, outbox, number,
                                                                        observer);
}

}  // namespace ebb::netsim
