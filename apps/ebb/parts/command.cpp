// SPDX-License-Identifier: Apache-2.0
#include "command_line/command.hpp"

#include "command_line/inputs.hpp"
#include "command_line/text.hpp"
#include "parts/measured.hpp"

#include "ebb/files/parts_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

struct Options {
  std::vector<std::string> files;  // the user's own parts, beside the shipped ones
  std::string name;
};

ExitCode list_parts(const Options& options) {
  const auto library = load_parts(options.files);
  if (!library) return refuse(library.error());
  Table table({{"part"}, {"kind"}, {"evidence"}, {"summary"}});
  for (const power::Part& part : library->parts()) {
    table.add({part.name, std::string(kind_of(part)), evidence_text(part, *library), part.summary});
  }
  fmt::print("{}", table.text());
  return ExitCode::done;
}

ExitCode show_part(const Options& options) {
  const auto library = load_parts(options.files);
  if (!library) return refuse(library.error());
  const auto part = library->find(options.name);
  if (!part) return refuse(part.error());
  fmt::print("{}", part_text(**part, *library));
  return ExitCode::done;
}

// Only the given files: a user's file must stand on its own sources.
ExitCode check_parts(const Options& options) {
  const auto library = files::read_parts(options.files);
  if (!library) return refuse(library.error());
  fmt::print("{} parts, {} sources: no errors\n", library->parts().size(),
             library->sources().size());
  return ExitCode::done;
}

}  // namespace

void add_parts_command(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<Options>();
  CLI::App* parts = app.add_subcommand(
      "parts", "The parts library: switches, optics, cables, NICs, with sources");
  parts->require_subcommand(1);

  CLI::App* list = parts->add_subcommand("list", "Every part in a line");
  list->add_option("--parts", options->files, "Further part files")->type_name("FILE");
  list->callback([options, &code] { code = list_parts(*options); });

  CLI::App* show =
      parts->add_subcommand("show", "One part with every number and where it comes from");
  show->add_option("part", options->name, "Name of the part")->type_name("PART")->required();
  show->add_option("--parts", options->files, "Further part files")->type_name("FILE");
  show->callback([options, &code] { code = show_part(*options); });

  CLI::App* check = parts->add_subcommand("check", "Read part files and report every mistake");
  check->add_option("files", options->files, "Part files")->type_name("FILE")->required();
  check->callback([options, &code] { code = check_parts(*options); });

  add_import_command(*parts, code);
  add_fit_command(*parts, code);
  add_fit_supply_command(*parts, code);
}

}  // namespace ebb::cli
