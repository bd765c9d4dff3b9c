// SPDX-License-Identifier: Apache-2.0
//
// Whether this machine can have or control a fabric: programs, kernel, privileges, certificates,
// the fabric of a file, and on request a small fabric that is brought up and taken down again.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/testbed/manifest.hpp"
#include "ebb/testbed/preflight.hpp"
#include "ebb/transport/tls.hpp"

#include <functional>
#include <string>

namespace ebb::runtime {

struct PreflightOptions {
  std::string file;  // empty: the machine alone
  testbed::StateFolder state;
  std::string listen;  // of a controller of switches elsewhere; empty: a fabric of this machine
  transport::TlsFiles tls;
  bool live = false;  // also bring a small fabric up (root)
};

// An error: the options or the file have mistakes. A small fabric is given up when the end is
// requested.
[[nodiscard]] Result<testbed::preflight::CheckResults> examine(
    const PreflightOptions& options, const std::function<bool()>& stop_requested);
[[nodiscard]] bool any_failed(const testbed::preflight::CheckResults& results);

// Where the program of the switches' agents is: beside this program, where both were built, or on
// the path.
[[nodiscard]] Result<std::string> agent_program();

}  // namespace ebb::runtime
