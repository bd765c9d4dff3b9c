// SPDX-License-Identifier: Apache-2.0
//
// What every verb of `ebb` shares: how it is added to the parser, its exit code, the files that it
// writes whole, and interrupts.
#pragma once

#include "ebb/core/result.hpp"

#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace ebb::cli {

// What `ebb` answers to the shell; docs/exit-codes.md describes each.
enum class ExitCode : int {
  done = 0,
  not_met = 1,       // done, but a requirement was not met: no design fits, a result differs
  bad_input = 2,     // usage, configuration or an input file
  outside = 3,       // the outside world failed: cannot write a file, a switch does not answer
  internal_bug = 70  // a bug in ebb
};

// One function for each verb, defined in apps/ebb/<verb>/. It adds the verb with its sub-commands
// to the parser. When the verb has run, `code` holds its exit code.
void add_list_command(CLI::App& app, ExitCode& code);
void add_topo_command(CLI::App& app, ExitCode& code);
void add_rules_command(CLI::App& app, ExitCode& code);
void add_fabric_command(CLI::App& app, ExitCode& code);
void add_validate_command(CLI::App& app, ExitCode& code);
void add_parts_command(CLI::App& app, ExitCode& code);
void add_plan_command(CLI::App& app, ExitCode& code);
void add_traffic_command(CLI::App& app, ExitCode& code);
void add_trace_command(CLI::App& app, ExitCode& code);
void add_breakeven_command(CLI::App& app, ExitCode& code);
void add_sim_command(CLI::App& app, ExitCode& code);
void add_sweep_command(CLI::App& app, ExitCode& code);
void add_results_command(CLI::App& app, ExitCode& code);
void add_report_command(CLI::App& app, ExitCode& code);
void add_plot_command(CLI::App& app, ExitCode& code);
void add_repro_command(CLI::App& app, ExitCode& code);
void add_replay_command(CLI::App& app, ExitCode& code);

// In compiler form, for standard error: the word "error:" stands out on a terminal.
[[nodiscard]] std::string error_text(const Errors& errors);
// Prints it and gives the code for bad input.
[[nodiscard]] ExitCode refuse(const Errors& errors);
// The same for what failed outside, such as a file that cannot be written.
[[nodiscard]] ExitCode failed_outside(const Errors& errors);

// Prints to standard error when the file cannot be written.
[[nodiscard]] ExitCode write_file(const std::string& path, std::string_view bytes);
// The same for a folder that cannot be made. A folder that exists is fine.
[[nodiscard]] ExitCode make_folder(const std::string& path);

// From this call on, SIGINT (Ctrl-C) and SIGTERM do not end the process: `interrupted` tells that
// one came, so that files can be closed first.
void notice_interrupts();
[[nodiscard]] bool interrupted();
// Ends the process by the signal that came, so that the shell knows.
[[noreturn]] void end_interrupted();

// From this call on, SIGHUP does not end the process. `hung_up` tells whether one came since it was
// last asked.
void notice_hangups();
[[nodiscard]] bool hung_up();

}  // namespace ebb::cli
