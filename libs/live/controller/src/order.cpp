// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/order.hpp"

namespace ebb::controller {

End end_of(const Order& order) {
  return std::visit([](const auto& one) { return one.end; }, order);
}

}  // namespace ebb::controller
