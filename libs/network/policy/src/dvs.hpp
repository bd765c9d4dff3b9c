// SPDX-License-Identifier: Apache-2.0
//
// Dynamic voltage scaling of links: the rate, and with it the voltage, follows the utilisation that
// is expected of a channel. "A Holistic Approach to Designing Energy-Efficient Cluster
// Interconnects" (Kim et al., 2005) uses such a policy in Section 3.3.1, after Shang, Peh and Jha,
// "Dynamic Voltage Scaling with Links for Power Optimization of Interconnection Networks" (HPCA
// 2003): a forecast that weighs the past exponentially, and two thresholds.
//
//   forecast = (weight * forecast + utilisation) / (weight + 1)      at the end of each window
//   forecast < low     one rate level slower
//   forecast > high    one rate level faster
//
// Each channel by itself, one level at a time; a channel that is changing or asleep is left alone.
// The first window of a channel, and the first after it slept, is its forecast: it has no past.
#pragma once

#include "building_blocks.hpp"

#include "ebb/policy/policy.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ebb::policy::dvs {

class Dvs final : public Policy {
 public:
  explicit Dvs(const Parameters& parameters);

  [[nodiscard]] Duration sample_period() const override { return window_; }
  [[nodiscard]] Abilities acts_by() const override { return {Ability::set_rate}; }
  [[nodiscard]] std::vector<Action> decide(const Sample& sample) override;
  [[nodiscard]] std::unique_ptr<Policy> copy_for_part() const override {
    return std::make_unique<Dvs>(*this);
  }

 private:
  struct Known {
    std::optional<std::int64_t> forecast;  // of kAllBusy
  };

  // Nothing when there is no window to go by.
  [[nodiscard]] std::optional<std::int64_t> forecast(const ChannelSample& channel);

  std::int64_t weight_;
  Ratio low_;
  Ratio high_;
  Duration window_;
  ByChannel<Known> known_;
};

// Without the window, which other policies name as well.
[[nodiscard]] std::vector<Parameter> parameters();
[[nodiscard]] Parameter window_parameter();

}  // namespace ebb::policy::dvs
