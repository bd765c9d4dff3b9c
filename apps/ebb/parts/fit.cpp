// SPDX-License-Identifier: Apache-2.0
//
// `ebb parts fit`: the model of a box from series of its power and of the counters of its ports.
#include "ebb/measurements/fit.hpp"

#include "command_line/text.hpp"
#include "parts/measured.hpp"

#include "ebb/files/document.hpp"
#include "ebb/measurements/import.hpp"
#include "ebb/measurements/series.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

using measurements::Estimate;
using measurements::Fit;
using measurements::Series;
using measurements::Term;

struct FitWords {
  std::string power;
  std::string counters;
  std::string name;
  int ports = 0;
  std::string title;
  std::string date;
  std::vector<std::string> media;
  bool part = false;
  bool json = false;
};

// Energies in units that suit them: a bit takes picojoules, a packet nanojoules.
struct Unit {
  double scale;
  std::string_view name;
};

Unit unit_of(Term term) {
  if (term == Term::per_bit) return {1e12, "pJ"};
  if (term == Term::per_packet) return {1e9, "nJ"};
  return {1, "W"};
}

std::string fitted_value(const Estimate& estimate) {
  const Unit unit = unit_of(estimate.parameter.term);
  if (estimate.at_bound) return fmt::format("0 {}", unit.name);
  return fmt::format("{:.5g} {}", estimate.value * unit.scale, unit.name);
}

std::string fitted_interval(const Estimate& estimate) {
  const Unit unit = unit_of(estimate.parameter.term);
  if (estimate.at_bound) {
    return fmt::format("at its bound, at most {:.3g} {}", estimate.high * unit.scale, unit.name);
  }
  return fmt::format("{:.5g} to {:.5g} {}", estimate.low * unit.scale, estimate.high * unit.scale,
                     unit.name);
}

void print_unidentified(const Fit& fit) {
  if (fit.unidentified.empty()) return;
  fmt::print("\nNot identifiable:\n");
  for (const auto& group : fit.unidentified) {
    std::vector<std::string> names;
    for (const auto& parameter : group.parameters) names.push_back(to_text(parameter));
    fmt::print("  {}: {}\n", fmt::join(names, ", "),
               group.never_used ? "never other than zero in the series"
                                : "the series cannot tell them apart");
  }
}

void print_intervals(const Fit& fit, const Series& series) {
  const auto& residuals = fit.residuals;
  fmt::print("\n{} intervals; residuals: RMS {:.4g} W, at most {:.4g} W", fit.intervals,
             residuals.rms, residuals.largest);
  if (residuals.r_squared) fmt::print(", R2 {:.5f}", *residuals.r_squared);
  fmt::print("\n{}{}", neighbours_text(residuals),
             left_out_text<measurements::LeftOut>(series.left_out, "intervals"));
}

void print_report(const Fit& fit, const Series& series) {
  Table table({{"parameter"}, {"value", Table::Align::right}, {"95 % interval"}});
  for (const Estimate& estimate : fit.estimates)
    table.add({to_text(estimate.parameter), fitted_value(estimate), fitted_interval(estimate)});
  fmt::print("{}", table.text());
  print_unidentified(fit);
  print_intervals(fit, series);
}

// What the part needs that no series tells.
Result<measurements::FittedBox> box_of(const FitWords& words, const Fit& fit,
                                       const Series& series) {
  Errors errors = source_errors(words.name, words.title, words.date);
  const auto ports = static_cast<std::size_t>(words.ports);
  if (ports < series.most_ports) {
    errors.push_back(
        {fmt::format("--ports: {} ports were seen, and the box has {}", series.most_ports, ports),
         {}});
  }
  measurements::FittedBox box{.name = words.name, .ports = words.ports};
  box.media = media_of(words.media, errors);
  if (!errors.empty()) return fail(std::move(errors));
  const auto& residuals = fit.residuals;
  box.source = {.id = words.name,
                .title = words.title,
                .date = words.date,
                .evidence = power::Evidence::measured,
                .note = fmt::format("Fitted by least squares to {} intervals; residuals RMS "
                                    "{:.4g} W, at most {:.4g} W.",
                                    fit.intervals, residuals.rms, residuals.largest)};
  return box;
}

ExitCode print_part(const FitWords& words, const Fit& fit, const Series& series) {
  const auto box = box_of(words, fit, series);
  if (!box) return refuse(box.error());
  const auto library = library_of(fit, *box);
  if (!library) return refuse_part(library.error());
  fmt::print("{}", measurements::parts_text(*library));
  return ExitCode::done;
}

ExitCode fit_parts(const FitWords& words) {
  const auto power = files::read_file(words.power, kLargestSeries);
  const auto counters = files::read_file(words.counters, kLargestSeries);
  Errors errors;
  if (!power) errors = power.error();
  if (!counters) errors.insert(errors.end(), counters.error().begin(), counters.error().end());
  if (!errors.empty()) return refuse(errors);
  const auto series = measurements::read_series({words.power, *power}, {words.counters, *counters});
  if (!series) return refuse(series.error());
  const auto fit = fit_box(*series);
  if (!fit) return refuse(fit.error());
  if (words.part) return print_part(words, *fit, *series);
  if (words.json) {
    fmt::print("{}", fit_json(*fit, *series));
  } else {
    print_report(*fit, *series);
  }
  return ExitCode::done;
}

}  // namespace

std::string neighbours_text(const measurements::Residuals& residuals) {
  return fmt::format(
      "Neighbouring residuals correlate by {:.2f}; intervals allow for {} neighbours\n",
      residuals.autocorrelation, residuals.neighbours);
}

Errors source_errors(const std::string& name, const std::string& title, const std::string& date) {
  Errors errors;
  if (!measurements::is_part_name(name))
    errors.push_back({"--name: a part's name is made of 1 to 64 of a-z, 0-9, '-' and '.'", {}});
  if (title.empty()) errors.push_back({"--title: a source needs a title", {}});
  if (const auto error = date_error(date)) errors.push_back(*error);
  return errors;
}

ExitCode refuse_part(const Errors& lacking) {
  Errors errors;
  errors.reserve(lacking.size());
  for (const Error& error : lacking)
    errors.push_back({fmt::format("no part is written: {}", error.message), error.where});
  fmt::print(stderr, "{}", error_text(errors));
  return ExitCode::not_met;
}

void add_fit_command(CLI::App& parts, ExitCode& code) {
  const auto words = std::make_shared<FitWords>();
  CLI::App* verb = parts.add_subcommand(
      "fit", "The model of a box from series of its power and of the counters of its ports");
  verb->add_option("--power", words->power, "CSV file with time and power_w")
      ->type_name("FILE")
      ->required();
  verb->add_option("--counters", words->counters,
                   "CSV file with time, interface, setup, plugged, enabled, up, out_octets, "
                   "out_packets")
      ->type_name("FILE")
      ->required();
  CLI::Option* part =
      verb->add_flag("--part", words->part, "Print the box as a part file in place of the report");
  verb->add_flag("--json", words->json, "For programs")->excludes(part);
  verb->add_option("--name", words->name, "Of the part")->needs(part);
  verb->add_option("--ports", words->ports, "Of the box")->check(CLI::Range(1, 4096))->needs(part);
  verb->add_option("--title", words->title, "Of the source: who measured what, and how")
      ->type_name("TEXT")
      ->needs(part);
  verb->add_option("--date", words->date, "Of the series: a year, or a year and a month")
      ->type_name("DATE")
      ->needs(part);
  verb->add_option("--medium", words->media,
                   "electrical or optical, for modules whose name does not tell it")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false)
      ->needs(part);
  verb->callback([words, &code] { code = fit_parts(*words); });
}

}  // namespace ebb::cli
