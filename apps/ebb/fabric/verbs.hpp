// SPDX-License-Identifier: Apache-2.0
//
// The verbs of `ebb fabric`: options in, text out. command.cpp has those that are given a fabric
// file, operator.cpp those that ask a running controller, testbed.cpp those of test fabrics,
// drain_costs.cpp the one for routed networks, and text.cpp what the others print.
#pragma once

#include "command_line/command.hpp"

#include "ebb/testbed/manifest.hpp"
#include "ebb/testbed/preflight.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace ebb::cli {

// Text for people of what the runtime gives as JSON.
[[nodiscard]] std::string status_text(const nlohmann::ordered_json& status);
[[nodiscard]] std::string explain_text(const nlohmann::ordered_json& explanation);
[[nodiscard]] std::string check_text(const nlohmann::ordered_json& check);
[[nodiscard]] std::string regulation_text(const nlohmann::ordered_json& report);
[[nodiscard]] nlohmann::ordered_json results_json(const testbed::preflight::CheckResults& results);
[[nodiscard]] std::string results_text(const testbed::preflight::CheckResults& results);

void add_testbed_verbs(CLI::App& parent, ExitCode& code);   // up, down, list, exec
void add_operator_verbs(CLI::App& parent, ExitCode& code);  // status, explain, drain, undrain
void add_drain_costs_verb(CLI::App& parent, ExitCode& code);

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
