// SPDX-License-Identifier: Apache-2.0
//
// A run in which hosts send for a while and the network then empties: for what must be left over
// and what must not.
#pragma once

#include "checks.hpp"
#include "runs/checked_network.hpp"

#include "ebb/traffic/workload.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::validate {

struct IdleRun {
  Setting setting;
  std::string variant;  // of hardware and policy, in words
  netsim::Hardware hardware;
  std::string policy = "always-on";
};

// Every family with every routing it has, over hardware that differs in switching and in how little
// buffer there is; and policies that change rates and let channels sleep.
[[nodiscard]] std::vector<IdleRun> idle_runs();

struct IdleResult {
  traffic::Offered offered;  // counted without the network
  // What passed each host's links, by the channels' own counters.
  std::vector<DataSize> sent;
  std::vector<DataSize> received;
  // What was announced to the observer, by destination.
  std::vector<DataSize> announced;
  std::int64_t messages = 0;  // announced
  Errors left_over;
};
[[nodiscard]] IdleResult run_until_idle(const IdleRun& run, Accounts& accounts);

}  // namespace ebb::validate
