// SPDX-License-Identifier: Apache-2.0
#include "ebb/agent/limits.hpp"

#include <algorithm>

namespace ebb::agent {

DataSize high_mark(const Limits& limits, DataRate rate) {
  return std::max(data_carried(rate, limits.high), kFramesAtHigh * kFrame);
}

DataSize low_mark(const Limits& limits, DataRate rate) {
  return std::max(data_carried(rate, limits.low), kFrame);
}

}  // namespace ebb::agent
