// SPDX-License-Identifier: Apache-2.0
//
// What policies keep for each channel, and the order of their actions.
#pragma once

#include "ebb/policy/action.hpp"

#include <algorithm>
#include <vector>

namespace ebb::policy {

// Grows with the numbers that the world gives; channels not met yet have a T{}.
template <class T>
class ByChannel {
 public:
  [[nodiscard]] T& operator[](ChannelId channel) {
    if (index(channel) >= values_.size()) values_.resize(index(channel) + 1);
    return values_[index(channel)];
  }

 private:
  std::vector<T> values_;
};

// As the contract of Policy::decide wants them; those of one channel keep their order.
inline void sort_by_channel(std::vector<Action>& actions) {
  std::stable_sort(actions.begin(), actions.end(),
                   [](const Action& a, const Action& b) { return a.channel < b.channel; });
}

}  // namespace ebb::policy
