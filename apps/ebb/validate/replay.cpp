// SPDX-License-Identifier: Apache-2.0
#include "validate/replay.hpp"

#include "ebb/files/transcript_file.hpp"
#include "ebb/policy/replay.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

namespace ebb::cli {
namespace {

ExitCode replay(const std::string& file) {
  const auto transcript = files::read_transcript(file);
  if (!transcript) return refuse(transcript.error());
  const auto report = policy::replay(*transcript);
  if (!report) return refuse(report.error());
  if (report->difference) {
    fmt::print("{}:{}: {}\n", file, report->difference->line, to_text(*report->difference));
    return ExitCode::not_met;
  }
  fmt::print("{}: {} samples, {} actions, the same byte for byte\n", transcript->header.policy,
             report->samples, report->actions);
  return ExitCode::done;
}

}  // namespace

void add_validate_replay(CLI::App& validate, ExitCode& code) {
  const auto file = std::make_shared<std::string>();
  CLI::App* verb = validate.add_subcommand(
      "replay", "Whether a policy says again what a transcript of it has recorded");
  verb->add_option("transcript", *file, "Of ebb sim or ebb fabric run, --transcript")->required();
  verb->callback([file, &code] { code = replay(*file); });
}

}  // namespace ebb::cli
