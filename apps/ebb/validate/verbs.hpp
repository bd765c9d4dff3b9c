// SPDX-License-Identifier: Apache-2.0
//
// The verbs of `ebb validate` that have a source of their own.
#pragma once

#include "command_line/command.hpp"

namespace ebb::cli {

// `ebb validate peers`
void add_validate_peers(CLI::App& validate, ExitCode& code);
// `ebb validate flows`
void add_validate_flows(CLI::App& validate, ExitCode& code);

}  // namespace ebb::cli
