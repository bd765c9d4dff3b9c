// SPDX-License-Identifier: Apache-2.0
//
// What `ebb` answers to the shell; documented in docs/exit-codes.md.
#pragma once

#include "ebb/core/error.hpp"

namespace ebb::cli {

enum class ExitCode : int {
  done = 0,
  not_met = 1,       // done, but a requirement was not met: no design fits, a result differs
  bad_input = 2,     // usage, configuration or an input file
  outside = 3,       // the outside world failed: cannot write a file, a switch does not answer
  internal_bug = 70  // a bug in ebb
};

// Prints to standard error in compiler form and gives the code for bad input.
[[nodiscard]] ExitCode refuse(const Errors& errors);
// The same for what failed outside, such as a file that cannot be written.
[[nodiscard]] ExitCode failed_outside(const Errors& errors);

}  // namespace ebb::cli
