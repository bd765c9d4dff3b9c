// SPDX-License-Identifier: Apache-2.0
//
// Who plays which part: the hosts in an order drawn by the seed, the first quarter of them file
// servers, the rest running the application.
#pragma once

#include "ebb/core/random.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::traffic {

inline constexpr std::uint32_t kHostsPerFileServer = 4;
inline constexpr std::uint32_t kReplicas = 3;

class Roles {
 public:
  Roles(std::uint32_t hosts, std::uint64_t seed);

  [[nodiscard]] static std::uint32_t servers_of(std::uint32_t hosts);

  [[nodiscard]] std::span<const std::uint32_t> servers() const {
    return std::span(order_).first(servers_);
  }
  [[nodiscard]] std::span<const std::uint32_t> application() const {
    return std::span(order_).subspan(servers_);
  }

 private:
  std::vector<std::uint32_t> order_;
  std::uint32_t servers_;
};

}  // namespace ebb::traffic
