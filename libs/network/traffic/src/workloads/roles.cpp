// SPDX-License-Identifier: Apache-2.0
#include "workloads/roles.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ebb::traffic {

std::uint32_t Roles::servers_of(std::uint32_t hosts) {
  return std::max(kReplicas, hosts / kHostsPerFileServer);
}

Roles::Roles(std::uint32_t hosts, std::uint64_t seed) : order_(hosts), servers_(servers_of(hosts)) {
  RandomStream stream(seed, "traffic/service/roles");
  std::iota(order_.begin(), order_.end(), 0U);
  for (std::uint32_t i = hosts; i > 1; --i) std::swap(order_[i - 1], order_[stream.below(i)]);
}

}  // namespace ebb::traffic
