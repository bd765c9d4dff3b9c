// SPDX-License-Identifier: Apache-2.0
//
// The workloads that workloads.cpp lists; each stands in a source under workloads/.
#pragma once

#include "ebb/traffic/workload_kind.hpp"

namespace ebb::traffic {

// clang-format off
namespace advert { [[nodiscard]] WorkloadKind kind(); }
namespace search { [[nodiscard]] WorkloadKind kind(); }
namespace video { [[nodiscard]] WorkloadKind kind(); }
// clang-format on

}  // namespace ebb::traffic
