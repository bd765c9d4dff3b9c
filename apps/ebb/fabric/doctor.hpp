// SPDX-License-Identifier: Apache-2.0
//
// ebb fabric doctor: looks at this machine and at the fabric of a file, and says what to do.
#pragma once

#include "command_line/exit_code.hpp"

#include "ebb/testbed/manifest.hpp"
#include "ebb/transport/tls.hpp"

#include <string>

namespace ebb::cli {

struct FabricDoctorOptions {
  std::string file;  // empty: the machine alone
  testbed::StateFolder state;
  std::string listen;  // of a controller of switches elsewhere; empty: a fabric of this machine
  transport::TlsFiles tls;
  bool live = false;  // also bring a small fabric up
  bool json = false;
};

// done: nothing failed; not_met: something did.
[[nodiscard]] ExitCode examine_fabric(const FabricDoctorOptions& options);

}  // namespace ebb::cli
