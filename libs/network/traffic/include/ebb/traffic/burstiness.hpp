// SPDX-License-Identifier: Apache-2.0
//
// How bursty a workload is, without a network: what the links of its hosts would carry if nothing
// but them took time. Each direction of each host link is a queue by itself that sends messages in
// the order of their births at the host rate.
//
//   const auto seen = measure_burstiness(workload, rate, seed, TimePoint(10ms));
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/traffic/workload.hpp"
#include "ebb/units/data.hpp"

#include <cstdint>
#include <vector>

namespace ebb::traffic {

// One direction of the host links in windows of one length, over all hosts and whole windows.
struct WindowUse {
  double mean = 0;  // share of the window that the link is busy
  double p50 = 0;   // to a thousandth
  double p99 = 0;
  double most = 0;
  double idle = 0;  // share of the windows in which nothing is sent
  // Variance over mean of the data created in a window, host by host, in messages of mean size. For
  // messages at random times (Poisson) this is Burstiness::poisson_dispersion.
  double dispersion = 0;
};

struct WindowSeen {
  Duration window{};
  WindowUse out;  // from hosts
  WindowUse in;   // to hosts
  // Sum of |out - in| over sum of out + in: 0 when both directions are always alike, 1 when only
  // one is in use.
  double asymmetry = 0;
};

struct Burstiness {
  std::int64_t messages = 0;
  double load_mean = 0;  // of a host, sent; of what its link carries
  double load_least = 0;
  double load_most = 0;
  double size_mean = 0;  // byte
  std::int64_t size_p50 = 0;
  std::int64_t size_p99 = 0;
  double poisson_dispersion = 0;  // mean square of sizes over square of mean
  std::vector<WindowSeen> windows;
};

// Windows of 10 us, 100 us and 1 ms. Refuses ends below 2 ms and above 10 s, and more messages
// than memory takes.
[[nodiscard]] Result<Burstiness> measure_burstiness(const Workload& workload, DataRate host_rate,
                                                    std::uint64_t seed, TimePoint until);

}  // namespace ebb::traffic
