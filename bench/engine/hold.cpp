// SPDX-License-Identifier: Apache-2.0
//
// The hold model: N events pending; each step takes the earliest and schedules one more, an
// exponential time ahead. Every queue runs in turn, several rounds, and the best round of each
// counts; the ratios are what to read.
//
//   ebb_bench_hold [--quick]
#include "hold_rate.hpp"
#include "quad_heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#ifdef EBB_HAVE_NS3
#include "ns3_schedulers.hpp"
#endif

namespace ebb::bench {
namespace {

void compare(std::size_t pending, double seconds, int rounds) {
  std::vector<HoldState> worlds;
  worlds.push_back(standard());
  worlds.push_back(holding<QuadHeap<Payload>>("array heap, 4 children"));
  worlds.push_back(holding<des::LadderQueue<Payload>>("ladder queue (ebb::des)"));
#ifdef EBB_HAVE_NS3
  // With a million pending, ns-3's schedulers take minutes to fill.
  constexpr std::size_t kMostForNs3 = 100'000;
  for (auto& scheduler : ns3_schedulers()) {
    if (pending > kMostForNs3) break;
    worlds.push_back({scheduler.name, scheduler.push,
                      [hold = scheduler.hold](std::size_t n, Increments& increments) {
                        hold(n, [&increments] { return increments.next(); });
                      }});
  }
#endif
  Increments increments;
  std::vector<double> best(worlds.size(), 0);
  for (HoldState& world : worlds) fill(world, pending, increments);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t w = 0; w < worlds.size(); ++w) {
      best[w] = std::max(best[w], millions_per_second(worlds[w], seconds, increments));
    }
  }
  fmt::print("{} pending\n", pending);
  for (std::size_t w = 0; w < worlds.size(); ++w) {
    fmt::print("  {:<32}{:8.2f} million holds/s {:7.2f}x\n", worlds[w].name, best[w],
               best[w] / best[0]);
  }
}

}  // namespace
}  // namespace ebb::bench

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  for (const std::size_t pending : {10'000UL, 100'000UL, 1'000'000UL}) {
    ebb::bench::compare(quick ? pending / 100 : pending, quick ? 0.01 : 0.25, quick ? 1 : 3);
  }
}
