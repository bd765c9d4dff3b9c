// SPDX-License-Identifier: Apache-2.0
//
// ebb fabric regulate: VLAN trees on a fabric that is up, with the links closed or slowed that
// known traffic does not need.
#pragma once

#include "command_line/exit_code.hpp"

#include "ebb/testbed/manifest.hpp"

#include <string>

namespace ebb::cli {

struct FabricRegulateOptions {
  std::string file;
  testbed::StateFolder state;
  std::string traffic;  // a matrix; empty: all links are open
  std::string peak;     // an amount; empty: what the busiest link carries with all open
  bool slow = false;
  bool dry_run = false;
  bool json = false;
};

[[nodiscard]] ExitCode regulate_fabric(const FabricRegulateOptions& options);

}  // namespace ebb::cli
