// SPDX-License-Identifier: Apache-2.0
//
// What a host wants sent: born at a time, of a size, for another host. Hosts are the indices of
// the network, 0 .. hosts-1. How a message becomes packets is the simulator's business.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>

namespace ebb::traffic {

inline constexpr std::uint8_t kMostServices = 16;

struct Message {
  TimePoint at;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;  // never the source
  DataSize size;
  std::uint8_t service = 0;  // level, below kMostServices; switches may treat it by itself

  bool operator==(const Message&) const = default;
};

}  // namespace ebb::traffic
