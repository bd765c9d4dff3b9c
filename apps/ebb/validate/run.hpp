// SPDX-License-Identifier: Apache-2.0
//
// `ebb validate list` and `ebb validate run`: the checks of the packet simulator.
#pragma once

#include "command_line/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace ebb::cli {

void add_validate_checks(CLI::App& validate, ExitCode& code);

}  // namespace ebb::cli
