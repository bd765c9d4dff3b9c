// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/watts.hpp"

namespace ebb::controller {

// The state until now is the one that was told last.
void Watts::pass(TimePoint now, std::uint32_t asleep, Power slower) {
  const Duration time = now - last_;
  saved_energy_ = saved_energy_ + saved() * time;
  asleep_time_ += time * asleep_;
  time_ += time;
  last_ = now;
  asleep_ = asleep;
  slower_ = slower;
}

double Watts::asleep_share() const {
  if (time_ <= Duration{} || links_ == 0) return 0;
  return static_cast<double>(asleep_time_.count()) / static_cast<double>(time_.count()) / links_;
}

}  // namespace ebb::controller
