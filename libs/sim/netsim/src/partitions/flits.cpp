// SPDX-License-Identifier: Apache-2.0
#include "../partition_of.hpp"

namespace ebb::netsim {

std::unique_ptr<Partition> flits_with_credits(NetworkState& net, Outbox& outbox,
                                              std::uint32_t number, Observer& observer) {
  return partition_of<CreditFlowControl, InputBuffers, FlitSwitching>(net, outbox, number,
                                                                      observer);
}

}  // namespace ebb::netsim
