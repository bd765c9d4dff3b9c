// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "ebb/report/report.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace ebb::cli {
namespace {

struct Options {
  std::string results;
  std::string output;
  std::string title;
  std::string timeline;
};

ExitCode no_page() {
  fmt::print(stderr,
             "error: this ebb was built without the page of its reports: that needs npm and "
             "-DEBB_REPORT=ON\n");
  return ExitCode::outside;
}

ExitCode write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (file.flush()) return ExitCode::done;
  fmt::print(stderr, "{}: error: cannot be written\n", path);
  return ExitCode::outside;
}

report::Settings settings_of(const Options& options) {
  const std::string& source = options.results.empty() ? options.timeline : options.results;
  const std::string file = std::filesystem::path(source).filename().string();
  return {.title = options.title.empty() ? file : options.title, .timeline = options.timeline};
}

ExitCode report_timeline(const Options& options) {
  if (!report::can_write()) return no_page();
  const auto text = report::html(settings_of(options));
  return text ? write(options.output, *text) : refuse(text.error());
}

ExitCode report(const Options& options) {
  if (options.results.empty() && options.timeline.empty())
    return refuse({{"a results file, or --timeline FILE, is required", {}}});
  if (options.results.empty()) return report_timeline(options);
  const auto store = results::Store::open_to_read(options.results);
  if (!store) return refuse(store.error());
  if (!report::can_write()) return no_page();
  const auto text = report::html(*store, settings_of(options));
  if (!text) return refuse(text.error());
  return write(options.output, *text);
}

}  // namespace

void add_report_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "report", "A results file as one HTML page with figures, tables and every run");
  command->add_option("results", options->results, "Results file (docs/results.md)")
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "The HTML file to write")
      ->type_name("FILE")
      ->required();
  command->add_option("--title", options->title, "Heading of the page instead of the file's name");
  command
      ->add_option("--timeline", options->timeline,
                   "Also show this timeline of a run: a .json of ebb sim --timeline")
      ->type_name("FILE");
  command->callback([options, &code] { code = report(*options); });
}

}  // namespace ebb::cli
