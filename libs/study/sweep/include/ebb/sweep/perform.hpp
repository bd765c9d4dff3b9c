// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ebb/power/library.hpp"
#include "ebb/results/run.hpp"
#include "ebb/sweep/plan.hpp"

#include <cstddef>

namespace ebb::sweep {

// What a run of the plan gave.
struct Finished {
  std::size_t which = 0;  // place in the plan
  results::Record record;
  double wall_seconds = 0;
};

// Simulates it on the calling thread. Whatever goes wrong becomes a failed run.
[[nodiscard]] Finished perform(const Plan& plan, std::size_t which, const power::Library& library);

}  // namespace ebb::sweep
