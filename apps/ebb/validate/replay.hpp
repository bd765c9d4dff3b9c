// SPDX-License-Identifier: Apache-2.0
//
// ebb validate replay: whether a policy still says what it said, in a simulation or on a fabric.
#pragma once

#include "command_line/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace ebb::cli {

void add_validate_replay(CLI::App& validate, ExitCode& code);

}  // namespace ebb::cli
