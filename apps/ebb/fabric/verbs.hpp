// SPDX-License-Identifier: Apache-2.0
//
// The verbs of `ebb fabric`, in a file for each of those who use them.
#pragma once

#include "command_line/command.hpp"

#include "ebb/testbed/manifest.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace ebb::cli {

void add_testbed_verbs(CLI::App& parent, ExitCode& code);   // up, down, list, exec
void add_operator_verbs(CLI::App& parent, ExitCode& code);  // status, explain, drain, undrain

// A verb whose options have the folder of fabrics as `state`.
template <typename Options, typename Run>
CLI::App* add_fabric_verb(CLI::App& parent, const std::string& name, const std::string& help,
                          const std::shared_ptr<Options>& options, ExitCode& code, Run run) {
  CLI::App* verb = parent.add_subcommand(name, help);
  verb->callback([options, &code, run] {
    std::string& folder = options->state.path;
    folder = std::filesystem::absolute(folder).lexically_normal().string();
    code = run(*options);
  });
  verb->add_option("--state", options->state.path,
                   "Folder of fabrics (" + options->state.path + ")");
  return verb;
}

}  // namespace ebb::cli
