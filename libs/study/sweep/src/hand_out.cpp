// SPDX-License-Identifier: Apache-2.0
#include "ebb/sweep/workers.hpp"

namespace ebb::sweep {
namespace {

constexpr std::chrono::milliseconds kBetweenTicks(100);

}  // namespace

void hand_out(std::span<const std::size_t> runs, Workers& workers, const Take& take,
              const Tick& tick) {
  std::size_t next = 0;
  std::size_t running = 0;
  bool go_on = true;
  while ((go_on && next < runs.size()) || running > 0) {
    while (go_on && next < runs.size() && workers.idle() > 0) {
      workers.begin(runs[next++]);
      ++running;
    }
    if (const auto finished = workers.finished(kBetweenTicks)) {
      --running;
      if (!take(*finished)) go_on = false;
    }
    if (!tick(running)) go_on = false;
  }
}

}  // namespace ebb::sweep
