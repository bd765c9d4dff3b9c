// SPDX-License-Identifier: Apache-2.0
//
// GOAL files, the schedules of LogGOPSim and ATLAHS, as text and in the binary form
// (docs/programs.md has the grammar). Which of both a file is, its first bytes say, not its name:
// files of the field have misleading ones.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"

#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace ebb::program {

// `name` stands in messages. All mistakes of the text are reported, up to a hundred.
[[nodiscard]] Result<Program> read_goal_text(std::string_view text, const std::string& name);

// Checks all of `bytes`, which `owner` keeps.
[[nodiscard]] Result<Program> read_goal_binary(std::span<const std::byte> bytes,
                                               std::shared_ptr<const void> owner,
                                               const std::string& name);
[[nodiscard]] bool is_goal_binary(std::span<const std::byte> bytes);

// Labels are l0, l1 ... in the order of the operations. The binary form is Program::bytes.
void write_goal_text(const Program& program, std::ostream& out);

}  // namespace ebb::program
