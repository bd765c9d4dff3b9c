// SPDX-License-Identifier: Apache-2.0
//
// The command line of a program that has no verbs: ebb-agent, ebb-host and the others beside `ebb`.
//
//   CLI::App app("ebb-host: asks the switch where this host is", "ebb-host");
//   ... options ...
//   if (const auto code = shell::parse(app, EBB_VERSION, argc, argv)) return *code;
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace ebb::shell {

// Reads the command line into the options of the program. Adds --version. The exit code when the
// program must end now, because it has printed its help, version, manual pages or completions, or a
// mistake of the command line (2, as `ebb` does).
[[nodiscard]] std::optional<int> parse(CLI::App& program, const std::string& version, int argc,
                                       char** argv);

}  // namespace ebb::shell
