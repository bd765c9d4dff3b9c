// SPDX-License-Identifier: Apache-2.0
//
// `ebb parts fit-supply`: the efficiency of a power supply from samples of what it takes and gives.
#include "command_line/text.hpp"
#include "parts/measured.hpp"

#include "ebb/files/document.hpp"
#include "ebb/measurements/import.hpp"
#include "ebb/measurements/supply_fit.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

using measurements::SupplyFit;
using measurements::SupplySeries;

struct SupplyWords {
  std::string file;
  std::string rated;
  std::vector<std::string> loads = {"10%", "20%", "50%"};
  std::string name;
  std::string title;
  std::string date;
  bool part = false;
};

Power rated_of(const SupplyWords& words, Errors& errors) {
  const auto rated = parse<Power>(words.rated);
  if (rated && *rated >= watts(1) && *rated <= watts(100'000)) return *rated;  // as in part files
  errors.push_back({fmt::format("--rated: expected the output of the supply, from 1W to 100kW, "
                                "got '{}'",
                                words.rated),
                    {}});
  return {};
}

std::vector<double> loads_of(const SupplyWords& words, Errors& errors) {
  std::vector<double> loads;
  for (const std::string& word : words.loads) {
    const auto load = parse<Ratio>(word);
    if (load && *load > Ratio(0, 1) && *load < Ratio(1, 1)) {
      loads.push_back(load->to_double());
    } else {
      errors.push_back(
          {fmt::format("--loads: expected shares of the rated output, as 20%, got '{}'", word),
           {}});
    }
  }
  std::sort(loads.begin(), loads.end());
  return loads;
}

void print_report(const SupplyFit& fit, const SupplySeries& series) {
  constexpr auto kRight = Table::Align::right;
  Table table({{"load", kRight}, {"efficiency", kRight}, {"95 % interval"}});
  for (const measurements::FittedPoint& point : fit.points) {
    table.add({fmt::format("{:.1f} %", 100 * point.load),
               fmt::format("{:.2f} %", 100 * point.efficiency),
               fmt::format("{:.2f} to {:.2f} %", 100 * point.low, 100 * point.high)});
  }
  fmt::print("{}", table.text());
  for (const double load : fit.not_told)
    fmt::print("No sample tells the efficiency at {:.1f} %\n", 100 * load);
  fmt::print("\n{} samples; residuals: RMS {:.3g} points, at most {:.3g} points\n{}{}", fit.samples,
             100 * fit.residuals.rms, 100 * fit.residuals.largest, neighbours_text(fit.residuals),
             left_out_text<measurements::SampleLeftOut>(series.left_out, "samples"));
}

ExitCode print_part(const SupplyWords& words, const SupplyFit& fit) {
  Errors errors = source_errors(words.name, words.title, words.date);
  if (!errors.empty()) return refuse(errors);
  const auto library = library_of(
      fit, words.name,
      {.id = words.name,
       .title = words.title,
       .date = words.date,
       .evidence = power::Evidence::measured,
       .note = fmt::format("Fitted by least squares to {} samples; residuals RMS {:.3g} "
                           "points, at most {:.3g} points.",
                           fit.samples, 100 * fit.residuals.rms, 100 * fit.residuals.largest)});
  if (!library) return refuse_part(library.error());
  fmt::print("{}", measurements::parts_text(*library));
  return ExitCode::done;
}

ExitCode fit_supply_part(const SupplyWords& words) {
  Errors errors;
  const auto samples = files::read_file(words.file, kLargestSeries);
  if (!samples) errors = samples.error();
  const Power rated = rated_of(words, errors);
  const std::vector<double> loads = loads_of(words, errors);
  if (!errors.empty()) return refuse(errors);
  const auto series = measurements::read_supply({words.file, *samples}, rated);
  if (!series) return refuse(series.error());
  const auto fit = fit_supply(*series, loads);
  if (!fit) return refuse(fit.error());
  if (words.part) return print_part(words, *fit);
  print_report(*fit, *series);
  return ExitCode::done;
}

}  // namespace

void add_fit_supply_command(CLI::App& parts, ExitCode& code) {
  const auto words = std::make_shared<SupplyWords>();
  CLI::App* verb = parts.add_subcommand(
      "fit-supply", "The efficiency of a power supply from samples of its input and its output");
  verb->add_option("--samples", words->file, "CSV file with time, input_w and output_w")
      ->type_name("FILE")
      ->required();
  verb->add_option("--rated", words->rated, "Output that the supply is rated for, as 600W")
      ->type_name("POWER")
      ->required();
  verb->add_option("--loads", words->loads,
                   "Points between the least and the most load, shares of the rated output")
      ->type_name("LOAD")
      ->delimiter(',')
      ->capture_default_str();
  CLI::Option* part = verb->add_flag("--part", words->part,
                                     "Print the supply as a part file in place of the report");
  verb->add_option("--name", words->name, "Of the part")->needs(part);
  verb->add_option("--title", words->title, "Of the source: who measured what, and how")
      ->type_name("TEXT")
      ->needs(part);
  verb->add_option("--date", words->date, "Of the samples: a year, or a year and a month")
      ->type_name("DATE")
      ->needs(part);
  verb->callback([words, &code] { code = fit_supply_part(*words); });
}

}  // namespace ebb::cli
