// SPDX-License-Identifier: Apache-2.0
//
// A stand-in for the trace "Advert" of Abts et al., Energy Proportional Datacenter Networks (ISCA
// 2010), which was not published: an advertising service and its file system at 5 % of the host
// links. docs/models/workloads.md has the reason for every number.
#pragma once

#include "ebb/traffic/workload_kind.hpp"

namespace ebb::traffic::advert {

[[nodiscard]] WorkloadKind kind();

}  // namespace ebb::traffic::advert
