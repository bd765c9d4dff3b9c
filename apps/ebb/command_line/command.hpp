// SPDX-License-Identifier: Apache-2.0
//
// One file per verb; each adds its sub-commands to the parser and stores the exit code when it ran.
#pragma once

#include "command_line/exit_code.hpp"

#include <CLI/CLI.hpp>

namespace ebb::cli {

void add_list_command(CLI::App& app, ExitCode& code);
void add_topo_command(CLI::App& app, ExitCode& code);
void add_rules_command(CLI::App& app, ExitCode& code);
void add_fabric_command(CLI::App& app, ExitCode& code);
void add_validate_command(CLI::App& app, ExitCode& code);
void add_parts_command(CLI::App& app, ExitCode& code);
void add_plan_command(CLI::App& app, ExitCode& code);
void add_traffic_command(CLI::App& app, ExitCode& code);
void add_breakeven_command(CLI::App& app, ExitCode& code);
void add_sim_command(CLI::App& app, ExitCode& code);
void add_sweep_command(CLI::App& app, ExitCode& code);
void add_results_command(CLI::App& app, ExitCode& code);
void add_report_command(CLI::App& app, ExitCode& code);
void add_plot_command(CLI::App& app, ExitCode& code);
void add_repro_command(CLI::App& app, ExitCode& code);

}  // namespace ebb::cli
