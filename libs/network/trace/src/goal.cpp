// SPDX-License-Identifier: Apache-2.0
//
// GOAL is the form in which programs are kept, so that its reader is a part of `program`. As text
// it begins with `num_ranks`, after comments.
#include "ebb/program/goal.hpp"

#include "formats.hpp"

namespace ebb::trace {
namespace {

bool recognizes_goal(const Input& input) {
  constexpr std::size_t kLookAt = 4096;
  const std::string_view text = input.file->text();
  return program::is_goal_binary(input.file->bytes()) ||
         text.substr(0, kLookAt).find("num_ranks") != std::string_view::npos;
}

Result<Trace> read_goal(const Input& input, const Parameters&) {
  auto program = program::is_goal_binary(input.file->bytes())
                     ? program::read_goal_binary(input.file->bytes(), input.file, input.path)
                     : program::read_goal_text(input.file->text(), input.path);
  if (!program) return fail(program.error());
  return Trace{*std::move(program), {}, {}};
}

}  // namespace

Format goal_format() {
  return {"goal", "GOAL of LogGOPSim and ATLAHS, text or binary", {}, recognizes_goal, read_goal};
}

}  // namespace ebb::trace
