// SPDX-License-Identifier: Apache-2.0
#include "fabric/run.hpp"

#include "command_line/inputs.hpp"
#include "fabric/text.hpp"

#include "ebb/testbed/fabric.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <optional>

namespace ebb::cli {
namespace {

Result<power::Library> shipped_parts() { return load_parts({}); }

void say(std::FILE* to, TimePoint at, const std::string& line) {
  fmt::print(to, "{:8.3f} s  {}\n", std::chrono::duration<double>(at.time_since_epoch()).count(),
             line);
  std::fflush(to);
}

}  // namespace

ExitCode run_fabric(const runtime::RunOptions& options) {
  notice_interrupts();
  notice_hangups();
  // Lines for programs are not mixed with lines for people.
  std::FILE* people = options.log == "-" ? stderr : stdout;
  const runtime::RunEnd end = runtime::run_controller(
      options, {.load_parts = shipped_parts,
                .stop_requested = interrupted,
                .reload_requested = hung_up,
                .say = [people](TimePoint at, const std::string& line) { say(people, at, line); }});
  switch (end.kind) {
    case runtime::RunEnd::Kind::bad_input:
      return refuse(end.errors);
    case runtime::RunEnd::Kind::outside:
      return failed_outside(end.errors);
    case runtime::RunEnd::Kind::done:
      break;
  }
  return ExitCode::done;
}

ExitCode check_fabric(const FabricCheckOptions& options) {
  const auto check = runtime::check_fabric(options, shipped_parts);
  if (!check) return refuse(check.error());
  if (!check->flaws.empty()) {
    fmt::print(stderr, "{}", to_string(check->flaws));
    return ExitCode::not_met;
  }
  fmt::print("{}", options.json ? check->report.dump(2) + "\n" : check_text(check->report));
  return ExitCode::done;
}

ExitCode regulate_fabric(const FabricRegulateOptions& options) {
  const auto plan = runtime::plan_regulation(options, shipped_parts);
  if (!plan) return refuse(plan.error());
  std::optional<drivers::ReconfigurationCounts> moved;
  if (!options.dry_run) {
    if (const auto found = testbed::find_fabric(plan->file.name, options.state); !found)
      return refuse(found.error());
    const auto done = runtime::carry_out_regulation(*plan, options.state);
    if (!done) return failed_outside(done.error());
    moved = *done;
  }
  const auto report = runtime::regulation_json(*plan, moved);
  fmt::print("{}", options.json ? report.dump(2) + "\n" : regulation_text(report));
  return ExitCode::done;
}

ExitCode examine_fabric(const FabricDoctorOptions& options) {
  if (options.live) notice_interrupts();
  const auto results = runtime::examine(options, interrupted);
  if (!results) return refuse(results.error());
  if (interrupted()) end_interrupted();
  fmt::print("{}", options.json ? results_json(*results).dump(2) + "\n" : results_text(*results));
  return runtime::any_failed(*results) ? ExitCode::not_met : ExitCode::done;
}

}  // namespace ebb::cli
