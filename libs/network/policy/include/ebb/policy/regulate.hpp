// SPDX-License-Identifier: Apache-2.0
//
// Link regulation by peak ("Performance Evaluation of Power-aware Multi-tree Ethernet for HPC
// Interconnects", Section V.B.3): what a run will send is known from a run before it, so links that
// it does not need are closed. Parallel links between two switches are a link aggregation group
// (LAG), whose traffic is shared evenly; each direction of a LAG is a channel.
//
// Every LAG keeps a link, so the paths stay as they are.
//
//   const Regulation now = regulate({5, 5, 5}, flows, {.peak = bytes(1'000'000)});
//   now.links[0]   // that stay open
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/quantity.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ebb::policy {

// What one pair sends, and the channels on its path: channel 2b is one direction of LAG b, 2b +
// 1 the other.
struct RegulatedFlow {
  DataSize amount;
  std::vector<std::uint32_t> channels;
};

struct RegulateBy {
  DataSize peak;  // the most that one link may carry in a direction
  // Rates that the last link of a LAG may be slowed to, of its full one; none: links only close.
  std::vector<Ratio> slower = {};
};

struct Regulation {
  std::vector<int> links;             // by LAG: how many stay open
  std::vector<Ratio> rate;            // by LAG: of the links that stay; 1 but where slowed
  std::vector<std::uint32_t> beyond;  // LAGs that carry more than the peak with all links open
};

[[nodiscard]] std::vector<DataSize> amount_by_channel(std::size_t lags,
                                                      std::span<const RegulatedFlow> flows);

[[nodiscard]] Regulation regulate(std::span<const int> links, std::span<const RegulatedFlow> flows,
                                  const RegulateBy& by);

}  // namespace ebb::policy
