// SPDX-License-Identifier: Apache-2.0
//
// The event schedulers of ns-3 behind the same two calls, for the comparison in one run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ebb::bench {

struct Ns3Scheduler {
  std::string name;
  std::function<void(std::int64_t)> push;
  std::function<void(std::size_t, const std::function<std::int64_t()>&)> hold;
};

[[nodiscard]] std::vector<Ns3Scheduler> ns3_schedulers();

}  // namespace ebb::bench
