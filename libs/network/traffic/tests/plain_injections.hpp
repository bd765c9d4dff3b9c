// SPDX-License-Identifier: Apache-2.0
//
// The injections that need a load and one size, and offer any load up to 1.
#pragma once

#include <array>
#include <string>

namespace ebb::traffic {

inline const std::array<std::string, 3> kPlainInjections = {"poisson", "bernoulli", "periodic"};

}  // namespace ebb::traffic
