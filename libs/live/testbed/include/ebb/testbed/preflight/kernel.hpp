// SPDX-License-Identifier: Apache-2.0
//
// Whether the kernel can do what a test fabric asks of it, by doing it once in a network namespace
// that is made for this and deleted.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"

namespace ebb::testbed::preflight {

// Namespaces, virtual cables, token buckets. Needs root; what comes after a failure is not tried.
[[nodiscard]] Findings try_kernel();

}  // namespace ebb::testbed::preflight
