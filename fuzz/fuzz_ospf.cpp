// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as what FRR prints of its link-state database: refused, or every link has costs that
// drain it, or a reason.
#include "ebb/core/check.hpp"
#include "ebb/ospf/drain_cost.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ebb;
  const auto network =
      ospf::read_frr_database(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!network) {
    static_cast<void>(to_string(network.error()));
    return 0;
  }
  for (std::size_t link = 0; link < network->links.size(); ++link) {
    const auto costs = ospf::drain_costs(*network, link);
    EBB_CHECK(!costs || costs->a >= network->links[link].a.cost, "a drain lowers no cost");
    EBB_CHECK(costs || !costs.error().empty(), "who has no costs has a reason");
  }
  return 0;
}
