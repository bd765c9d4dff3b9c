// SPDX-License-Identifier: Apache-2.0
//
// What the verbs of `ebb trace` share.
#pragma once

#include "command_line/command.hpp"

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"
#include "ebb/units/parameters.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace ebb::cli {

void add_make_verb(CLI::App& trace, ExitCode& code);

// NAME=VALUE of --set.
[[nodiscard]] Result<ParameterTexts> read_settings(const std::vector<std::string>& settings);

// --format and --output, and what they ask for.
void add_output_options(CLI::App& verb, std::string& format, std::string& output);
[[nodiscard]] ExitCode write_program(const program::Program& program, const std::string& format,
                                     const std::string& output);

}  // namespace ebb::cli
