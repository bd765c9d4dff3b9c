// SPDX-License-Identifier: Apache-2.0
//
// `ebb trace make`: programs that compute and communicate in turn, without a trace of somebody's.
#include "command_line/help.hpp"
#include "command_line/text.hpp"
#include "trace/verbs.hpp"

#include "ebb/program/collective_loop.hpp"
#include "ebb/units/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace ebb::cli {
namespace {

struct MakeOptions {
  std::string collective;
  std::string algorithm;
  std::string size = "1MiB";
  std::string compute = "0s";
  std::string output;
  std::string format = "goal";
  std::uint32_t ranks = 8;
  std::uint32_t repeat = 1;
};

Result<program::CollectiveLoop> loop_of(const MakeOptions& options) {
  program::CollectiveLoop loop{
      .ranks = options.ranks, .algorithm = options.algorithm, .repeat = options.repeat};
  Errors errors;
  const auto take = [&](const std::string& text, std::string_view option, auto& value) {
    const auto parsed = parse<std::remove_reference_t<decltype(value)>>(text);
    if (parsed) {
      value = *parsed;
    } else {
      errors.push_back({fmt::format("{}: {}", option, parsed.error().front().message), {}});
    }
  };
  take(options.size, "--size", loop.size);
  take(options.compute, "--compute", loop.compute);
  const auto kind = program::find_collective(options.collective);
  if (kind) {
    loop.kind = *kind;
  } else {
    errors.push_back(kind.error().front());
  }
  if (!errors.empty()) return fail(std::move(errors));
  return loop;
}

ExitCode make(const MakeOptions& options) {
  const auto loop = loop_of(options);
  if (!loop) return refuse(loop.error());
  const auto program = make_program(*loop);
  if (!program) return refuse(program.error());
  return write_program(*program, options.format, options.output);
}

}  // namespace

void add_make_verb(CLI::App& trace, ExitCode& code) {
  const auto options = std::make_shared<MakeOptions>();
  CLI::App* verb = trace.add_subcommand(
      "make", "Ranks that compute and take part in a collective operation, again and again");
  std::vector<std::string> names;
  for (const std::string_view name : program::collective_names()) names.emplace_back(name);
  verb->add_option("collective", options->collective, "Operation")
      ->required()
      ->check(one_of(names));
  verb->add_option("--ranks", options->ranks, "Ranks (8)")->type_name("COUNT");
  verb->add_option("--size", options->size,
                   "The whole vector, or what each rank gives, gets or sends to each (1MiB)")
      ->type_name("SIZE");
  verb->add_option("--algorithm", options->algorithm,
                   "ring, recursive-doubling, halving-doubling ...; a wrong one lists them")
      ->type_name("NAME");
  verb->add_option("--compute", options->compute, "Of each rank before each operation (0s)")
      ->type_name("TIME");
  verb->add_option("--repeat", options->repeat, "How many times (1)")->type_name("COUNT");
  add_output_options(*verb, options->format, options->output);
  verb->callback([options, &code] { code = make(*options); });
}

}  // namespace ebb::cli
