// SPDX-License-Identifier: Apache-2.0
#include "nas.hpp"

#include "grid.hpp"

#include <algorithm>

namespace ebb::applications {

std::vector<Parameter> nas_parameters() {
  return {{"class", Choice{{"A", "B", "C"}}, "A", "size of the problem"},
          ranks_parameter(),
          {"iterations", Range<std::int64_t>{0, 1'000'000}, "0",
           "how many are made at most; 0: all that the class has"},
          flops_parameter("1000000000")};
}

std::int64_t nas_iterations(const Parameters& parameters, std::int64_t all) {
  const std::int64_t given = parameters.integer("iterations");
  return given == 0 ? all : std::min(given, all);
}

std::uint32_t nas_ranks(const Parameters& parameters) {
  return static_cast<std::uint32_t>(parameters.integer("ranks"));
}

Duration nas_time(const Parameters& parameters, double operations) {
  return time_of(operations / static_cast<double>(parameters.integer("ranks")),
                 parameters.integer("flops"));
}

}  // namespace ebb::applications
