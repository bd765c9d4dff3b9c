// SPDX-License-Identifier: Apache-2.0
//
// A command on several ranks: all of them run it, rank 0 speaks. What goes wrong on one rank before
// the work begins is told once and ends all of them in order; afterwards it ends them at once.
#pragma once

#include "command_line/exit_code.hpp"

#include "ebb/core/result.hpp"
#include "ebb/mpi/ranks.hpp"

#include <functional>
#include <optional>
#include <string>

namespace ebb::cli {

// Why a rank cannot begin.
struct Obstacle {
  ExitCode code = ExitCode::done;  // done: there is none
  std::string text;                // for standard error, with its line end
};
[[nodiscard]] Obstacle bad_input(const Errors& errors);

// Joins the ranks this process was started with, and does the work there.
[[nodiscard]] ExitCode together(const std::function<ExitCode(mpi::Ranks&)>& work);

// The code to end with when a rank has an obstacle, which rank 0 tells.
[[nodiscard]] std::optional<ExitCode> told(mpi::Ranks& ranks, const Obstacle& here);

// The ranks that have another text than rank 0, as an obstacle of all.
[[nodiscard]] Obstacle differences(mpi::Ranks& ranks, const std::string& what,
                                   const std::string& text);

}  // namespace ebb::cli
