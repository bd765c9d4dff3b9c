// SPDX-License-Identifier: Apache-2.0
//
// Programs that others wrote: whether they are on the path, and what version they say they are.
#pragma once

#include "ebb/testbed/preflight/finding.hpp"

#include <span>
#include <string>

namespace ebb::testbed::preflight {

struct Program {
  std::string name;
  std::string version_option;  // what makes it say its version; empty: it is not asked
  std::string package;         // of Debian
  Verdict without = Verdict::fail;
  std::string purpose;
};

// Those of a test fabric on this machine.
[[nodiscard]] std::span<const Program> fabric_programs();
[[nodiscard]] Finding look_for(const Program& program);

}  // namespace ebb::testbed::preflight
