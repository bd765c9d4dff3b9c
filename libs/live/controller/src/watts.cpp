// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/watts.hpp"

#include "ebb/units/quantity.hpp"

#include <algorithm>

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

Power awake_watts(const power::PortSetup& setup) {
  return setup.port.value + setup.plugged.value + setup.up.value;
}

std::vector<Power> step_watts(const power::Box& box, const power::PortSetup& full,
                              std::span<const DataRate> rate_table) {
  std::vector<Power> watts;
  for (const DataRate rate : rate_table) {
    const Ratio share(rate.count(), rate_table.back().count());
    const auto slower =
        std::find_if(box.setups.begin(), box.setups.end(), [&](const power::PortSetup& setup) {
          return setup.medium == full.medium &&
                 Ratio(setup.rate.count(), full.rate.count()) == share;
        });
    const bool known = rate != rate_table.back() && slower != box.setups.end();
    watts.push_back(awake_watts(known ? *slower : full));
  }
  return watts;
}

}  // namespace ebb::controller
