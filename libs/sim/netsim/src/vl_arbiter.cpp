// SPDX-License-Identifier: Apache-2.0
#include "vl_arbiter.hpp"

#include <algorithm>
#include <limits>

namespace ebb::netsim {
namespace {

constexpr std::int32_t kWeightBits = 64 * 8;

}  // namespace

VlArbiter::VlArbiter(const Hardware& hardware)
    : lanes_(hardware.virtual_lanes),
      high_limit_bits_(hardware.high_limit > DataSize{}
                           ? hardware.high_limit.count()
                           : std::numeric_limits<std::int64_t>::max()) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const auto lane = static_cast<std::uint8_t>(i);
    of_level_[level_of(lane)].push_back(lane);
  }
}

// The lane in turn goes on until it has spent its weight; then the next one begins.
void VlArbiter::add_level(const VlArbiterState& turn, std::size_t level,
                          ArbitrationOrder& order) const {
  const std::vector<std::uint8_t>& lanes = of_level_[level];
  const auto in_turn = std::find(lanes.begin(), lanes.end(), turn.levels[level].lane);
  auto first = static_cast<std::size_t>(in_turn - lanes.begin());
  if (turn.levels[level].left_bits <= 0) ++first;
  for (std::size_t i = 0; i < lanes.size(); ++i) order.push(lanes[(first + i) % lanes.size()]);
}

ArbitrationOrder VlArbiter::order(const VlArbiterState& turn) const {
  ArbitrationOrder order;
  const std::size_t first = turn.high_bits >= high_limit_bits_ ? 1 : 0;
  add_level(turn, first, order);
  add_level(turn, 1 - first, order);
  return order;
}

void VlArbiter::spend(VlArbiterState& turn, std::uint8_t lane, std::uint32_t bits) const {
  VlArbiterState::Level& level = turn.levels[level_of(lane)];
  if (level.lane != lane || level.left_bits <= 0) {
    level = {lanes_[lane].weight * kWeightBits, lane};
  }
  level.left_bits -= static_cast<std::int32_t>(bits);
  if (!lanes_[lane].high) {
    turn.high_bits = 0;
  } else if (turn.high_bits < high_limit_bits_) {
    turn.high_bits += static_cast<std::int32_t>(bits);
  }
}

}  // namespace ebb::netsim
