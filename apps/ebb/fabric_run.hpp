// SPDX-License-Identifier: Apache-2.0
//
// ebb fabric run: the controller of a fabric that is up.
#pragma once

#include "exit_code.hpp"

#include "ebb/testbed/manifest.hpp"

#include <string>

namespace ebb::cli {

struct FabricRunOptions {
  std::string file;
  testbed::StateFolder state;
  bool dry_run = false;
  std::string transcript;  // empty: none
  double seconds = 0;      // 0: until a signal comes
};

[[nodiscard]] ExitCode run_fabric(const FabricRunOptions& options);

}  // namespace ebb::cli
