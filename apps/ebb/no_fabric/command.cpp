// SPDX-License-Identifier: Apache-2.0
//
// `ebb fabric` and `ebb replay` of a build without the live half (-DEBB_LIVE=OFF): whatever follows
// is answered with what is missing, instead of "unknown command".
#include "command_line/command.hpp"

#include "command_line/live_half.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace ebb::cli {

namespace {

void add_missing(CLI::App& app, ExitCode& code, const std::string& name, const std::string& help) {
  CLI::App* verb = app.add_subcommand(name, "Not part of this build: " + help);
  verb->allow_extras();
  verb->callback([&code, name] {
    fmt::print(stderr,
               "error: this ebb was built without the live half; build it with -DEBB_LIVE=ON for "
               "`ebb {}`\n",
               name);
    code = ExitCode::outside;
  });
}

}  // namespace

void add_fabric_command(CLI::App& app, ExitCode& code) {
  add_missing(app, code, "fabric", "networks of real switches");
}

void add_replay_command(CLI::App& app, ExitCode& code) {
  add_missing(app, code, "replay", "recorded counters under the controller");
}

config::PrepareControl fabric_control(const power::Library& /*parts*/) { return nullptr; }

repro::LiveMeasures live_measures() { return {}; }

}  // namespace ebb::cli
