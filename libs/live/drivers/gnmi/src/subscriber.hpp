// SPDX-License-Identifier: Apache-2.0
//
// One subscription of a client: what to tell it next, from what the box looks like. No clock.
#pragma once

#include "answers.hpp"

#include <chrono>
#include <map>

namespace ebb::gnmi {

using SteadyTime = std::chrono::steady_clock::time_point;

class Subscriber {
 public:
  Subscriber(Wanted wanted, SteadyTime now);

  // Everything that it wants, as at the beginning.
  [[nodiscard]] std::vector<LeafValue> all(const std::vector<LeafValue>& box);
  // What has changed or is due; due times move on.
  [[nodiscard]] std::vector<LeafValue> next(const std::vector<LeafValue>& box, SteadyTime now);
  // When `next` has something even if nothing changes; not later than `limit`.
  [[nodiscard]] SteadyTime due(SteadyTime limit) const;
  [[nodiscard]] const Wanted& wanted() const { return wanted_; }

 private:
  Wanted wanted_;
  std::vector<SteadyTime> due_;  // by part
  std::map<std::string, Value> told_;
};

}  // namespace ebb::gnmi
