// SPDX-License-Identifier: Apache-2.0
//
// The most links that may sleep at the same time by given tables: an exact search, for small
// networks.
//
//   const ExactSleepable best = exact_sleepable(walker, sleep_order(graph, tables), 1'000'000);
//   if (best.is_exact) ... best.count is the most that there is
#pragma once

#include "ebb/forwarding/reachability.hpp"

#include <cstdint>
#include <vector>

namespace ebb::forwarding {

// Of links that may sleep together every part may: the search takes a link only if all hosts reach
// each other with it and all taken before it asleep.
struct ExactSleepable {
  std::vector<bool> may_sleep;  // by link, the largest set that was found
  std::uint32_t count = 0;
  bool is_exact = false;    // all sets were looked at, or ruled out
  std::uint64_t looks = 0;  // links that were tried
};

// Branch and bound over the links in that order: the first set that it comes to takes each link
// that it can. Ends after so many looks.
[[nodiscard]] ExactSleepable exact_sleepable(const TableWalker& walker,
                                             const std::vector<topology::LinkId>& order,
                                             std::uint64_t most_looks);

}  // namespace ebb::forwarding
