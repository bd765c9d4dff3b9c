// SPDX-License-Identifier: Apache-2.0
//
// `ebb parts import`: measured power models and data sheets of others as boxes.
#include "ebb/measurements/import.hpp"

#include "parts/measured.hpp"

#include "ebb/files/document.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace ebb::cli {
namespace {

struct ImportWords {
  std::vector<std::string> files;
  std::string date;
  std::string origin;
  std::vector<std::string> ports;
  std::vector<std::string> media;
  std::string scatter = "0W";
};

void append(Errors& all, const Errors& more) { all.insert(all.end(), more.begin(), more.end()); }

// An error when there is no '=', or nothing before or after it.
Result<std::pair<std::string, std::string>> name_and_value(const std::string& option,
                                                           const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    return fail(fmt::format("{}: expected NAME=VALUE, got '{}'", option, text));
  }
  return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

void read_ports(const std::string& text, measurements::ImportOptions& options, Errors& errors) {
  const auto words = name_and_value("--ports", text);
  if (!words) return append(errors, words.error());
  const auto counts = measurements::parse_port_counts(words->second);
  if (!counts) {
    errors.push_back({"--ports: " + counts.error().front().message, {}});
  } else if (!options.ports.emplace(words->first, *counts).second) {
    errors.push_back({fmt::format("--ports: '{}' is given twice", words->first), {}});
  }
}

// Limits as those of a part file, which allows ports of -1 W.
void read_scatter(const std::string& text, measurements::ImportOptions& options, Errors& errors) {
  const auto scatter = parse<Power>(text);
  if (!scatter) {
    errors.push_back({"--scatter: " + scatter.error().front().message, {}});
  } else if (*scatter < watts(0) || *scatter > watts(1)) {
    errors.push_back({"--scatter: must be between 0W and 1W", {}});
  } else {
    options.scatter = *scatter;
  }
}

Result<measurements::ImportOptions> options_of(const ImportWords& words) {
  Errors errors;
  measurements::ImportOptions options{.origin = words.origin, .date = words.date};
  if (const auto error = date_error(words.date)) errors.push_back(*error);
  for (const std::string& text : words.ports) read_ports(text, options, errors);
  options.media = media_of(words.media, errors);
  read_scatter(words.scatter, options, errors);
  if (!errors.empty()) return fail(std::move(errors));
  return options;
}

ExitCode import_parts(const ImportWords& words) {
  constexpr std::size_t kLargestFile = std::size_t{256} * 1024;
  const auto options = options_of(words);
  Errors errors = options ? Errors{} : options.error();
  std::vector<measurements::ImportText> texts;
  for (const std::string& file : words.files) {
    auto text = files::read_file(file, kLargestFile);
    if (text) {
      texts.push_back({file, std::move(*text)});
    } else {
      append(errors, text.error());
    }
  }
  // Mistakes in the files are told along with those of options.
  const auto imported =
      measurements::import_boxes(texts, options ? *options : measurements::ImportOptions{});
  if (!imported) append(errors, imported.error());
  if (!errors.empty()) return refuse(errors);
  if (!imported->boxes.parts().empty()) fmt::print("{}", measurements::parts_text(imported->boxes));
  if (imported->gaps.empty()) return ExitCode::done;
  fmt::print(stderr, "{}", error_text(imported->gaps));
  return ExitCode::not_met;
}

}  // namespace

std::map<std::string, std::string> media_of(const std::vector<std::string>& texts, Errors& errors) {
  std::map<std::string, std::string> media;
  for (const std::string& text : texts) {
    const auto words = name_and_value("--medium", text);
    if (!words) {
      append(errors, words.error());
    } else if (words->second != "electrical" && words->second != "optical") {
      errors.push_back(
          {fmt::format("--medium: expected electrical or optical, got '{}'", words->second), {}});
    } else {
      media.insert(*words);
    }
  }
  return media;
}

std::optional<Error> date_error(const std::string& date) {
  if (measurements::is_date(date)) return std::nullopt;
  return Error{fmt::format("--date: expected a date like 2010 or 2010-06, got '{}'", date), {}};
}

void add_import_command(CLI::App& parts, ExitCode& code) {
  const auto words = std::make_shared<ImportWords>();
  CLI::App* verb = parts.add_subcommand(
      "import", "Measured power models and data sheets of others as a part file");
  verb->add_option("files", words->files, "Power models and data sheets")
      ->type_name("FILE")
      ->required();
  verb->add_option("--date", words->date,
                   "Of the data, or of the day they were read: a year, or a year and a month")
      ->type_name("DATE")
      ->required();
  verb->add_option("--origin", words->origin, "Who published the files; before each title")
      ->type_name("TEXT");
  verb->add_option("--ports", words->ports,
                   "How many ports a device has, which files do not tell: sw1=36, by port type "
                   "sw1=32xQSFP28,4xQSFP-DD, of a data sheet sw1=32x400Gb/s")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--medium", words->media,
                   "electrical or optical, for modules whose name does not tell it")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  verb->add_option("--scatter", words->scatter,
                   "Keep negative powers of a port down to minus this, as scatter of a fit; beyond "
                   "it they are gaps")
      ->type_name("POWER")
      ->capture_default_str();
  verb->callback([words, &code] { code = import_parts(*words); });
}

}  // namespace ebb::cli
