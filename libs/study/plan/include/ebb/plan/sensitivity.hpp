// SPDX-License-Identifier: Apache-2.0
//
// Which inputs move the answer most: each input alone is moved down and up by a fifth and the
// energy cost of the same design is computed again.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/plan/design.hpp"

#include <string>
#include <vector>

namespace ebb::plan {

struct Swing {
  std::string input;
  Money low;   // cost with the input a fifth lower
  Money high;  // and a fifth higher

  [[nodiscard]] Money spread() const { return high > low ? high - low : low - high; }
};

// Largest spread first. Inputs without effect are left out.
[[nodiscard]] Result<std::vector<Swing>> sensitivity(const Design& design, const Inputs& inputs,
                                                     const power::Library& library);

}  // namespace ebb::plan
