// SPDX-License-Identifier: Apache-2.0
#include "ebb/fabric/order.hpp"

namespace ebb::fabric {

End end_of(const Order& order) {
  return std::visit([](const auto& one) { return one.end; }, order);
}

}  // namespace ebb::fabric
