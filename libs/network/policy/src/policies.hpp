// SPDX-License-Identifier: Apache-2.0
//
// The list of policies: each one is a source file of this folder that defines its entry(). The
// comment at the top of that file is the contract of the policy: the rule, its source, and what
// happens in the cases that the source leaves open. registry.cpp lists them in the order in which
// `ebb list` prints them.
#pragma once

#include "ebb/policy/policy.hpp"

// One line per policy, so that adding one changes one line.
namespace ebb::policy {

// clang-format off
namespace always_on { [[nodiscard]] Entry entry(); }
namespace always_slowest { [[nodiscard]] Entry entry(); }
namespace epoch { [[nodiscard]] Entry entry(); }
namespace on_demand { [[nodiscard]] Entry entry(); }
namespace wake_ahead { [[nodiscard]] Entry entry(); }
namespace scheduled { [[nodiscard]] Entry entry(); }
namespace periodic { [[nodiscard]] Entry entry(); }
namespace perf_bound { [[nodiscard]] Entry entry(); }
namespace latency_budget { [[nodiscard]] Entry entry(); }
namespace history { [[nodiscard]] Entry entry(); }
namespace stages { [[nodiscard]] Entry entry(); }
namespace consolidate { [[nodiscard]] Entry entry(); }
namespace elastic { [[nodiscard]] Entry entry(); }
namespace power_cap { [[nodiscard]] Entry entry(); }
namespace dvs { [[nodiscard]] Entry entry(); }
namespace shutdown { [[nodiscard]] Entry entry(); }
namespace dvs_shutdown { [[nodiscard]] Entry entry(); }
// clang-format on

}  // namespace ebb::policy
