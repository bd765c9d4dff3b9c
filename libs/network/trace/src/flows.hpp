// SPDX-License-Identifier: Apache-2.0
//
// A list of flows as a program. The ranks are hosts. A host has a clock, a chain of computations on
// CPU 1 that last from one start to the next; the send of a flow waits for the computation that
// ends at its start, and nothing waits for the send. Receives wait for nothing. Messages of a pair
// of hosts are told apart by their tags, which count from 0, so that each receive gets its flow.
//
// A flow may also wait for other flows instead of the clock. Where the flow it waits for is done on
// another host, that host says so by a message of 0 bytes, which is listed as a repair.
#pragma once

#include "flow_time.hpp"

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"
#include "ebb/trace/trace.hpp"
#include "ebb/units/data.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ebb::trace {

inline constexpr std::uint32_t kMostFlowHosts = 1'000'000;
inline constexpr std::uint64_t kMostFlowBytes = std::numeric_limits<std::int64_t>::max() / 8;

struct Flow {
  FlowTime start;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  DataSize size{};
  std::uint32_t line = 0;        // of the file; 0: none
  bool waits_for_flows = false;  // and not for its start
};

// When the flow `earlier` is done, as its source or its destination sees it.
struct FlowDependency {
  enum class Done : std::uint8_t { sent, received };

  std::uint32_t later = 0;
  std::uint32_t earlier = 0;
  Done done = Done::sent;
};

struct FlowList {
  std::uint32_t hosts = 0;  // those of all flows are below it
  std::vector<Flow> flows;
  std::vector<FlowDependency> dependencies;
};

// The parameters of every list of flows.
[[nodiscard]] Parameter begin_parameter();
[[nodiscard]] Parameter hosts_parameter();

// Hosts from the parameter `hosts`, or as many as the flows name. Fails when flows name more.
[[nodiscard]] Result<void> set_hosts(FlowList& list, const Parameters& parameters,
                                     const std::string& name);

// Adds what was changed to `repairs`. Fails when a start is later than a program can hold.
[[nodiscard]] Result<Trace> trace_of_flows(FlowList list, const Parameters& parameters,
                                           const std::string& name,
                                           std::vector<std::string> repairs);

}  // namespace ebb::trace
