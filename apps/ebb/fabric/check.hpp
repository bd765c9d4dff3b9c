// SPDX-License-Identifier: Apache-2.0
//
// ebb fabric check: whether a file can be run, before any switch hears of it. Tables are made and
// proved, the policy is made, parts are looked up, secrets and certificates for switches elsewhere
// are read.
#pragma once

#include "command_line/exit_code.hpp"

#include <string>

namespace ebb::cli {

struct FabricCheckOptions {
  std::string file;
  std::string ports = "openflow";  // what switches ports, at the switches of the file `devices`
  std::string devices;
  bool json = false;
};

// done: it can be run; not_met: its tables do not hold; bad_input: it has mistakes, all printed.
[[nodiscard]] ExitCode check_fabric(const FabricCheckOptions& options);

}  // namespace ebb::cli
