// SPDX-License-Identifier: Apache-2.0
//
// `ebb trace make`: programs of parallel applications, without a trace of somebody's.
#include "command_line/help.hpp"
#include "command_line/text.hpp"
#include "trace/verbs.hpp"

#include "ebb/applications/application.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

struct MakeOptions {
  std::string application;
  std::vector<std::string> settings;
  std::string output;
  std::string format = "goal";
};

ExitCode make(const MakeOptions& options) {
  const auto parameters = read_settings(options.settings);
  if (!parameters) return refuse(parameters.error());
  const auto program = applications::make_application(options.application, *parameters);
  if (!program) return refuse(program.error());
  return write_program(*program, options.format, options.output);
}

}  // namespace

Result<ParameterTexts> read_settings(const std::vector<std::string>& settings) {
  ParameterTexts texts;
  Errors errors;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos) {
      errors.push_back({fmt::format("--set {}: is not NAME=VALUE", setting), {}});
    } else {
      texts.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
  }
  if (!errors.empty()) return fail(std::move(errors));
  return texts;
}

void add_make_verb(CLI::App& trace, ExitCode& code) {
  const auto options = std::make_shared<MakeOptions>();
  CLI::App* verb = trace.add_subcommand(
      "make", "The program of a parallel application (ebb list applications has them)");
  verb->add_option("application", options->application, "Its name")
      ->required()
      ->type_name("APPLICATION");
  verb->add_option("--set", options->settings, "Parameter of the application")
      ->type_name("NAME=VALUE");
  add_output_options(*verb, options->format, options->output);
  verb->callback([options, &code] { code = make(*options); });
}

}  // namespace ebb::cli
