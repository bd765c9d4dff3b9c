// SPDX-License-Identifier: Apache-2.0
//
// The verbs of `ebb fabric` that call the runtime with a fabric file: run, check, regulate, doctor.
// Each takes options, prints what the runtime gives, and returns an exit code.
#pragma once

#include "command_line/command.hpp"

#include "ebb/runtime/check.hpp"
#include "ebb/runtime/preflight.hpp"
#include "ebb/runtime/regulate.hpp"
#include "ebb/runtime/run.hpp"

namespace ebb::cli {

[[nodiscard]] ExitCode run_fabric(const runtime::RunOptions& options);

struct FabricCheckOptions : runtime::CheckOptions {
  bool json = false;
};
// done: it can be run; not_met: its tables do not hold; bad_input: it has mistakes, all printed.
[[nodiscard]] ExitCode check_fabric(const FabricCheckOptions& options);

struct FabricRegulateOptions : runtime::RegulateOptions {
  testbed::StateFolder state;
  bool dry_run = false;
  bool json = false;
};
[[nodiscard]] ExitCode regulate_fabric(const FabricRegulateOptions& options);

struct FabricDoctorOptions : runtime::PreflightOptions {
  bool json = false;
};
// done: nothing failed; not_met: something did.
[[nodiscard]] ExitCode examine_fabric(const FabricDoctorOptions& options);

}  // namespace ebb::cli
