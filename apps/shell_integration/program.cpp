// SPDX-License-Identifier: Apache-2.0
#include "shell_integration/program.hpp"

#include "shell_integration/completion.hpp"
#include "shell_integration/manual.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <vector>

namespace ebb::shell {
namespace {

constexpr int kBadUsage = 2;

ManualNotes notes_of(const std::string& version) {
  return {.version = version,
          .exit_codes = {{0, "Done."},
                         {kBadUsage, "The command line or a file that it names has a mistake."},
                         {3, "The outside world failed: a switch, the kernel, a file."}},
          .see_also = {"ebb", "ebb-fabric"}};
}

}  // namespace

std::optional<int> parse(CLI::App& program, const std::string& version, int argc, char** argv) {
  program.set_version_flag("--version", program.get_name() + " " + version);
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--manual-pages")
    return write_manual_pages(manual_pages(program, notes_of(version)), words[1]);
  if (!words.empty() && words[0] == "--complete") {
    const std::vector<std::string> line(words.begin() + 1, words.end());
    std::fputs(to_lines(complete(program, line, file_values)).c_str(), stdout);
    return 0;
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    const bool asked = problem.get_exit_code() == 0;  // for help or the version
    return program.exit(problem) == 0 && asked ? 0 : kBadUsage;
  }
  return std::nullopt;
}

}  // namespace ebb::shell
