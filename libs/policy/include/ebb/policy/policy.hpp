// SPDX-License-Identifier: Apache-2.0
//
// A policy decides the states of channels from samples: values in, values out. Time comes with the
// data; there is no clock, file, thread or log to reach. Given the same samples and outcomes in the
// same order, a policy gives the same actions, in a simulator, on a live fabric and in a replay.
//
// The driver of a world owns time and order:
//
//   world.start(policy->sample_period());
//   for each sample, the first at the start:
//     for (const Action& action : policy->decide(sample)) world.apply(action);
//     policy->learn(outcome);   // for each answer, when it is known; the order is recorded
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/units/time.hpp"

#include <vector>

namespace ebb::policy {

class Policy {
 public:
  Policy() = default;
  Policy(const Policy&) = delete;
  Policy& operator=(const Policy&) = delete;
  virtual ~Policy() = default;

  // How often the driver should sample; constant over the life of the policy, positive.
  [[nodiscard]] virtual Duration sample_period() const = 0;

  // Actions ascend by channel; those of one channel are to be applied in the order given.
  // The sample satisfies check().
  [[nodiscard]] virtual std::vector<Action> decide(const Sample& sample) = 0;

  virtual void learn(const Outcome& /*outcome*/) {}
};

}  // namespace ebb::policy
