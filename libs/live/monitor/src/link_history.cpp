// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/link_history.hpp"

namespace ebb::monitor {

void LinkHistory::add(const controller::Entry& entry) {
  constexpr std::size_t kKept = 10;
  last_.push_front(entry);
  if (last_.size() > kKept) last_.pop_back();
  if (entry.only_said) return;
  asleep_before_ = asleep(entry.at);
  state_ = entry.state;
  since_ = entry.at;
  ++entered_.at(static_cast<std::size_t>(entry.state));
}

Duration LinkHistory::asleep(TimePoint now) const {
  return asleep_before_ + (state_ == controller::LinkState::asleep ? now - since_ : Duration{});
}

}  // namespace ebb::monitor
