// SPDX-License-Identifier: Apache-2.0
//
// ebb fabric run: the controller of a fabric that is up, or of switches that connect to an address.
#pragma once

#include "command_line/exit_code.hpp"
#include "fabric/doors.hpp"

#include "ebb/testbed/manifest.hpp"

#include <string>

namespace ebb::cli {

struct FabricRunOptions {
  std::string file;
  testbed::StateFolder state;
  bool dry_run = false;
  std::string transcript;  // empty: none
  double seconds = 0;      // 0: until a signal comes
  std::string metrics;     // where Prometheus asks; empty: nowhere
  std::string log;         // JSON lines; empty: none, "-": standard output
  std::string audit;       // empty: in the state folder
  bool standby = false;    // waits while another controller leads
  std::string history;     // empty: none
  RemoteDoor remote;
  std::string ports = "openflow";  // what switches ports; else "snmp", "gnmi"
  std::string devices;             // where switches elsewhere are managed; a file
  bool modules = false;            // lose their power with their ports; gnmi
};

[[nodiscard]] ExitCode run_fabric(const FabricRunOptions& options);

}  // namespace ebb::cli
