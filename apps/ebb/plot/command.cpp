// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/help.hpp"
#include "command_line/text.hpp"

#include "ebb/files/document.hpp"
#include "ebb/plots/figure.hpp"
#include "ebb/plots/gnuplot.hpp"
#include "ebb/plots/result_figures.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

struct Options {
  std::string source;
  std::string figure;
  std::string output;
  std::string title;
  std::string x;
  std::vector<std::string> y;
  std::vector<std::string> log;
  std::vector<std::string> where;
  bool list = false;
};

// What is drawn and its numbers.
struct Plot {
  plots::Table table;
  plots::Figure figure;
};

constexpr std::size_t kLargestCsv = 256U << 20U;

std::string extension_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension.empty() ? "" : extension.substr(1);
}

bool is_csv(const Options& options) { return extension_of(options.source) == "csv"; }

Result<std::vector<plots::RunFilter>> filters_of(const Options& options) {
  std::vector<plots::RunFilter> filters;
  Errors errors;
  for (const std::string& text : options.where) {
    const auto filter = plots::run_filter(text);
    if (filter) filters.push_back(*filter);
    if (!filter) errors.push_back(filter.error().front());
  }
  if (!errors.empty()) return fail(std::move(errors));
  return filters;
}

Result<Plot> plot_of_results(const Options& options) {
  if (!options.x.empty() || !options.y.empty() || !options.log.empty())
    return fail("--x, --y and --log are for CSV files; figures of results have their axes");
  const auto known = plots::find_result_figure(options.figure);
  if (!known) return fail(known.error());
  const auto store = results::Store::open_to_read(options.source);
  if (!store) return fail(store.error());
  const auto filters = filters_of(options);
  if (!filters) return fail(filters.error());
  const auto runs = plots::RunSet::read(*store, *filters);
  if (!runs) return fail(runs.error());
  Plot plot{(*known)->table(*runs), {}};
  plot.figure = plots::figure_of(**known, plot.table);
  if (plot.figure.series.empty())
    return fail(fmt::format("no run to draw {} from", options.figure), {options.source});
  return plot;
}

Result<Plot> plot_of_csv(const Options& options) {
  if (!options.figure.empty()) return fail("a CSV file has no named figures: use --x and --y");
  if (!options.where.empty()) return fail("--where is for results files; a CSV file has no runs");
  if (options.x.empty() || options.y.empty())
    return fail("a CSV file needs --x COLUMN and --y COLUMN[,COLUMN]", {options.source});
  const auto text = files::read_file(options.source, kLargestCsv);
  if (!text) return fail(text.error());
  auto table = plots::read_csv(*text, options.source);
  if (!table) return fail(table.error());
  plots::ColumnChoice choice{options.x, options.y};
  for (const std::string& axis : options.log) (axis == "x" ? choice.log_x : choice.log_y) = true;
  auto figure = plots::column_figure(*table, choice);
  if (!figure) {
    Errors errors = figure.error();
    for (Error& error : errors) error.where.file = options.source;
    return fail(std::move(errors));
  }
  return Plot{std::move(*table), std::move(*figure)};
}

ExitCode write(const Plot& plot, const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension == "csv") return write_file(path, to_csv(plot.table));
  if (extension == "json") return write_file(path, to_json(plot.table) + "\n");
  if (extension == "gp")
    return write_file(path, plots::gnuplot_script(plot.figure, plots::Format::svg));
  const auto drawing = plots::draw(plot.figure, *plots::format_of(extension));
  if (!drawing) return failed_outside(drawing.error());
  return write_file(path, *drawing);
}

bool can_write(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == "csv" || extension == "json" || extension == "gp" ||
         plots::format_of(extension);
}

ExitCode list_figures() {
  Table table({{"figure"}, {"what it shows"}});
  for (const plots::ResultFigure& figure : plots::result_figures())
    table.add({figure.name, figure.summary});
  fmt::print("{}", table.text());
  return ExitCode::done;
}

ExitCode plot(const Options& options) {
  if (options.list) return list_figures();
  if (options.figure.empty() && !is_csv(options))
    return refuse({{"which figure? `ebb plot --list` names them", {}}});
  if (!can_write(options.output)) {
    return refuse(
        {{fmt::format("-o '{}': the name must end in .svg, .png, .pdf, .gp, .csv or .json",
                      options.output),
          {}}});
  }
  auto made = is_csv(options) ? plot_of_csv(options) : plot_of_results(options);
  if (!made) return refuse(made.error());
  if (!options.title.empty()) made->figure.title = options.title;
  return write(*made, options.output);
}

}  // namespace

void add_plot_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("plot", "Figures for papers from a results file");
  command
      ->add_option("source", options->source,
                   "Results file (ebb sim --results, ebb sweep), or a CSV file")
      ->type_name("FILE");
  command->add_option("figure", options->figure, "One of --list")->type_name("FIGURE");
  command
      ->add_option("-o,--output", options->output,
                   "What to write: .svg, .png or .pdf (drawn by gnuplot), .gp (its script), .csv "
                   "or .json (the numbers)")
      ->type_name("FILE");
  command->add_option("--title", options->title, "Instead of the figure's own");
  command
      ->add_option("--where", options->where,
                   "Only runs with this value in their configuration, as policy=epoch; all that "
                   "are given must hold")
      ->allow_extra_args(false);
  command->add_option("--x", options->x, "Of a CSV file: the column across");
  command->add_option("--y", options->y, "Of a CSV file: the columns up, as a,b")->delimiter(',');
  command->add_option("--log", options->log, "Of a CSV file: logarithmic axes, as x,y")
      ->delimiter(',')
      ->check(one_of({"x", "y"}));
  command->add_flag("--list", options->list, "The figures that a results file gives");
  command->callback([options, &code] { code = plot(*options); });
}

}  // namespace ebb::cli
