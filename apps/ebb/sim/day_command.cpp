// SPDX-License-Identifier: Apache-2.0
#include "command_line/progress.hpp"
#include "sim/day_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ebb::cli {
ExitCode simulate_day(const config::SimFile& file, const power::Library& parts,
                      std::uint32_t threads, bool json) {
  auto prepared = day::prepare_day(file, parts);
  if (!prepared) return refuse(prepared.error());
  StatusLine line;
  const auto report =
      day::run_day(std::move(*prepared), parts, threads,
                   [&](std::size_t done, std::size_t all) { show_steps(line, "step", done, all); });
  line.clear();
  if (!report) return refuse(report.error());
  if (report->stalled) {
    fmt::print("{}", stalled_day_text(*report->stalled));
    return ExitCode::not_met;
  }
  if (const Errors errors = report->ledger.check(); !errors.empty()) {
    fmt::print(stderr,
               "{}ebb: the energy account of the day does not balance; this is a bug in ebb\n",
               to_string(errors));
    return ExitCode::internal_bug;
  }
  fmt::print("{}", json ? day_json(*report) : day_text(*report));
  return ExitCode::done;
}

}  // namespace ebb::cli
