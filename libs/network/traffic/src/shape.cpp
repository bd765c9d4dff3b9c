// SPDX-License-Identifier: Apache-2.0
#include "ebb/traffic/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ebb::traffic {
namespace {

// Hosts of the whole grid, or a number above any host count.
std::uint64_t grid_hosts(const Shape& shape) {
  constexpr std::uint64_t kTooMany = std::uint64_t{1} << 32U;
  std::uint64_t hosts = shape.hosts_per_switch;
  for (const std::uint32_t k : shape.dims) hosts = std::min(hosts * k, kTooMany);
  return hosts;
}

}  // namespace

Errors mistakes(const Shape& shape) {
  Errors errors;
  if (shape.hosts < 2) {
    errors.push_back({fmt::format("traffic needs two hosts or more, got {}", shape.hosts), {}});
  }
  if (shape.hosts_per_group > shape.hosts) {
    errors.push_back({fmt::format("groups of {} hosts are larger than the network of {}",
                                  shape.hosts_per_group, shape.hosts),
                      {}});
  }
  if (!shape.dims.empty() && grid_hosts(shape) != shape.hosts) {
    errors.push_back({fmt::format("a grid of {} switches with {} hosts each does not have {} hosts",
                                  fmt::join(shape.dims, "x"), shape.hosts_per_switch, shape.hosts),
                      {}});
  }
  return errors;
}

}  // namespace ebb::traffic
