// SPDX-License-Identifier: Apache-2.0
//
// Programs written to files, in one of the forms that others read.
#include "command_line/help.hpp"
#include "command_line/text.hpp"
#include "trace/verbs.hpp"

#include "ebb/program/goal.hpp"
#include "ebb/trace/chakra.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>

namespace ebb::cli {
namespace {

ExitCode write_goal(const program::Program& program, const std::string& output) {
  if (output.empty()) {
    write_goal_text(program, std::cout);
    return std::cout.flush() ? ExitCode::done : ExitCode::outside;
  }
  std::ofstream file(output, std::ios::binary);
  if (file) write_goal_text(program, file);
  if (file.flush()) return ExitCode::done;
  fmt::print(stderr, "{}: error: cannot be written\n", output);
  return ExitCode::outside;
}

// A file for each rank.
ExitCode write_chakra(const program::Program& program, const std::string& output) {
  const auto losses = trace::chakra_losses(program);
  if (!losses) return refuse(losses.error());
  for (const std::string& loss : *losses) fmt::print(stderr, "{}: lost: {}\n", output, loss);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const std::string path = fmt::format("{}.{}.et", output, rank);
    const ExitCode code = write_file(path, trace::chakra_file(program, rank));
    if (code != ExitCode::done) return code;
  }
  return ExitCode::done;
}

}  // namespace

void add_output_options(CLI::App& verb, std::string& format, std::string& output) {
  verb.add_option("--format", format, "goal (text), goal-binary or chakra")
      ->check(one_of({"goal", "goal-binary", "chakra"}));
  verb.add_option("-o,--output", output,
                  "File to write, standard output without it; of chakra FILE.N.et for each rank N")
      ->type_name("FILE");
}

ExitCode write_program(const program::Program& program, const std::string& format,
                       const std::string& output) {
  if (format == "goal") return write_goal(program, output);
  if (output.empty()) return refuse({{fmt::format("--format {} needs --output FILE", format), {}}});
  if (format == "chakra") return write_chakra(program, output);
  const auto bytes = program.bytes();
  return write_file(output, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace ebb::cli
