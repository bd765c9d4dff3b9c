// SPDX-License-Identifier: Apache-2.0
#include "repro/report.hpp"

#include "command_line/data_folder.hpp"
#include "command_line/output_file.hpp"

#include "ebb/plots/gnuplot.hpp"
#include "ebb/repro/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace ebb::cli {
namespace {

using repro::Entry;

Result<std::vector<Entry>> measure(const std::vector<repro::Row>& rows) {
  const auto parts = load_parts({});
  if (!parts) return fail(parts.error());
  repro::Lab lab(*parts);
  std::vector<Entry> entries;
  for (const repro::Row& row : rows) {
    entries.push_back({row, {}});
    if (repro::find_experiment(row.id) == nullptr) continue;
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "{}: {}\n", row.id, row.result);
    auto finding = repro::run(row, lab);
    if (!finding) return fail(finding.error());
    entries.back().finding = std::move(*finding);
  }
  return entries;
}

ExitCode write_figures(const Entry& entry, const std::string& folder) {
  for (const plots::Figure& figure : entry.finding->figures) {
    const std::string path = folder + "/" + file_name(entry.row, figure);
    const auto svg = plots::draw(figure, plots::Format::svg);
    if (!svg) return failed_outside(svg.error());
    if (const auto code = write_file(path + ".svg", *svg); code != ExitCode::done) return code;
    const std::string data = to_csv(data_of(figure));
    if (const auto code = write_file(path + ".csv", data); code != ExitCode::done) return code;
  }
  return ExitCode::done;
}

ExitCode write_folder(const std::vector<Entry>& entries, const std::string& folder) {
  for (const Entry& entry : entries) {
    if (!entry.finding) continue;
    if (const auto code = write_figures(entry, folder); code != ExitCode::done) return code;
  }
  const std::string values = to_csv(report_values(entries));
  if (const auto code = write_file(folder + "/values.csv", values); code != ExitCode::done)
    return code;
  return write_file(folder + "/README.md", report_markdown(entries, repro::Pictures::linked));
}

// Before minutes are spent on measuring.
ExitCode prepare_folder(const std::string& folder) {
  if (!plots::gnuplot_found()) {
    fmt::print(stderr, "error: {}; without -o the table alone is printed\n",
               plots::kGnuplotMissing);
    return ExitCode::outside;
  }
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (!problem) return ExitCode::done;
  fmt::print(stderr, "{}: error: cannot be made: {}\n", folder, problem.message());
  return ExitCode::outside;
}

}  // namespace

ExitCode write_repro_report(const std::vector<repro::Row>& rows, const std::string& folder) {
  if (!folder.empty()) {
    if (const auto code = prepare_folder(folder); code != ExitCode::done) return code;
  }
  const auto entries = measure(rows);
  if (!entries) return refuse(entries.error());
  if (folder.empty()) fmt::print("{}", report_markdown(*entries, repro::Pictures::left_out));
  if (!folder.empty()) {
    if (const auto code = write_folder(*entries, folder); code != ExitCode::done) return code;
  }
  const bool any_failed = std::any_of(entries->begin(), entries->end(), [](const Entry& entry) {
    return entry.finding && failed(*entry.finding);
  });
  return any_failed ? ExitCode::not_met : ExitCode::done;
}

}  // namespace ebb::cli
