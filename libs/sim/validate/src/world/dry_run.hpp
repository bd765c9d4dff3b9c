// SPDX-License-Identifier: Apache-2.0
//
// A run in which hosts send for a while and the network then empties: for what must be left over
// and what must not.
#pragma once

#include "world/accounts.hpp"
#include "world/world.hpp"

#include "ebb/traffic/offered.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::validate {

struct DryRun {
  Setting setting;
  std::string variant;  // of hardware and policy, in words
  netsim::Hardware hardware;
  std::string policy = "always-on";
};

// Every family with every routing it has, over hardware that differs in switching and in how little
// buffer there is; and policies that change rates and let channels sleep.
[[nodiscard]] std::vector<DryRun> dry_runs();

struct Dried {
  traffic::Offered offered;  // counted without the network
  // What passed each host's links, by the channels' own counters.
  std::vector<DataSize> sent;
  std::vector<DataSize> received;
  // What was announced to the observer, by destination.
  std::vector<DataSize> announced;
  std::int64_t messages = 0;  // announced
  Errors leftovers;
};
[[nodiscard]] Dried run_dry(const DryRun& dry_run, Accounts& accounts);

}  // namespace ebb::validate
