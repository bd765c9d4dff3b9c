// SPDX-License-Identifier: Apache-2.0
//
// `ebb rules vlans`: VLAN trees of a network.
#pragma once

#include "command_line/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace ebb::cli {

void add_rules_vlans(CLI::App& rules, ExitCode& code);

}  // namespace ebb::cli
