// SPDX-License-Identifier: Apache-2.0
//
// Whose turn it is among the virtual lanes of a channel: the two levels of InfiniBand's
// arbitration, lanes of high priority before the others, and within a level weighted round robin.
#pragma once

#include "ebb/netsim/hardware.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::netsim {

inline constexpr std::size_t kMostLanes = 16;

// What a channel remembers.
struct VlArbiterState {
  struct Level {
    std::int32_t left_bits = 0;  // that the lane in turn may still send
    std::uint8_t lane = 0;       // in turn
  };
  std::array<Level, 2> levels;  // high, low
  std::int32_t high_bits = 0;   // sent with high priority since something of low priority was
};

// In which order to try the lanes.
class ArbitrationOrder {
 public:
  void push(std::uint8_t lane) { lanes_.at(size_++) = lane; }
  [[nodiscard]] const std::uint8_t* begin() const { return lanes_.data(); }
  [[nodiscard]] const std::uint8_t* end() const { return lanes_.data() + size_; }

 private:
  std::array<std::uint8_t, kMostLanes> lanes_;
  std::size_t size_ = 0;
};

class VlArbiter {
 public:
  explicit VlArbiter(const Hardware& hardware);

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(lanes_.size()); }
  [[nodiscard]] ArbitrationOrder order(const VlArbiterState& turn) const;
  // The lane has sent so much.
  void spend(VlArbiterState& turn, std::uint8_t lane, std::uint32_t bits) const;

 private:
  [[nodiscard]] std::size_t level_of(std::uint8_t lane) const { return lanes_[lane].high ? 0 : 1; }
  void add_level(const VlArbiterState& turn, std::size_t level, ArbitrationOrder& order) const;

  std::vector<VirtualLane> lanes_;
  std::array<std::vector<std::uint8_t>, 2> of_level_;
  std::int64_t high_limit_bits_;
};

}  // namespace ebb::netsim
