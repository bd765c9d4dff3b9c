// SPDX-License-Identifier: Apache-2.0
#include "job_collector.hpp"

namespace ebb::netsim {

Energy PowerChanges::until(TimePoint time) const {
  Energy energy = settled_energy_ + settled_ * (time - settled_until_);
  for (const Change& change : changes_) {
    if (change.at < time) energy += change.by * (time - change.at);
  }
  return energy;
}

void PowerChanges::settle(TimePoint time) {
  settled_energy_ = until(time);
  settled_until_ = time;
  const auto later = std::partition(changes_.begin(), changes_.end(),
                                    [&](const Change& change) { return change.at >= time; });
  for (auto settled = later; settled != changes_.end(); ++settled) settled_ += settled->by;
  changes_.erase(later, changes_.end());
}

}  // namespace ebb::netsim
