// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for the trace "Search" of Abts et al., Energy Proportional Datacenter Networks (ISCA
// 2010), which was not published: a web search service and its file system at 6 % of the host
// links. docs/models/workloads.md has the reason for every number.
#pragma once

#include "ebb/traffic/workload_kind.hpp"

namespace ebb::traffic::search {

[[nodiscard]] WorkloadKind kind();

}  // namespace ebb::traffic::search
