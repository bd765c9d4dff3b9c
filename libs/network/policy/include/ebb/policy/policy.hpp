// SPDX-License-Identifier: Apache-2.0
//
// A policy decides the states of channels from samples: values in, values out. Time comes with the
// data; there is no clock, file, thread or log to reach. Given the same samples and outcomes in the
// same order, a policy gives the same actions, in a simulator, on a live fabric and in a replay.
//
// The driver of a world owns time and order:
//
//   world.start(policy->sample_period());
//   if (policy->wants_ways()) policy->study(ways);
//   for each sample, the first at the start:
//     for (const Action& action : policy->decide(sample)) world.apply(action);
//     policy->learn(outcome);   // for each answer, when it is known; the order is recorded
#pragma once

#include "ebb/policy/action.hpp"
#include "ebb/policy/sample.hpp"
#include "ebb/policy/ways.hpp"
#include "ebb/units/time.hpp"

#include <span>
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

  // Whether decisions need to know which channels can stand in for each other.
  [[nodiscard]] virtual bool wants_ways() const { return false; }

  // Once, before the first sample, if they are wanted. The ways satisfy check(); a policy that
  // needs them and gets none leaves every channel alone.
  virtual void study(std::span<const Way> /*ways*/) {}

  // Actions ascend by channel; those of one channel are to be applied in the order given.
  // The sample satisfies check().
  [[nodiscard]] virtual std::vector<Action> decide(const Sample& sample) = 0;

  virtual void learn(const Outcome& /*outcome*/) {}
};

}  // namespace ebb::policy
