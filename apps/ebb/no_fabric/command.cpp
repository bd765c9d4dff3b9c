// SPDX-License-Identifier: Apache-2.0
//
// `ebb fabric` of a build without the live half (-DEBB_LIVE=OFF): whatever follows is answered with
// what is missing, instead of "unknown command".
#include "command_line/command.hpp"

#include "command_line/live_half.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace ebb::cli {

void add_fabric_command(CLI::App& app, ExitCode& code) {
  CLI::App* fabric =
      app.add_subcommand("fabric", "Not part of this build: networks of real switches");
  fabric->allow_extras();
  fabric->callback([&code] {
    fmt::print(stderr,
               "error: this ebb was built without the live half; build it with -DEBB_LIVE=ON for "
               "`ebb fabric`\n");
    code = ExitCode::outside;
  });
}

config::PrepareControl fabric_control(const power::Library& /*parts*/) { return nullptr; }

repro::LiveMeasures live_measures() { return {}; }

}  // namespace ebb::cli
