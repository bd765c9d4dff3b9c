// SPDX-License-Identifier: Apache-2.0
//
// A command on several MPI ranks: all ranks run it, rank 0 prints. An error of one rank before the
// work begins is printed once and ends all ranks in order. A later error ends them immediately.
#pragma once

#include "command_line/command.hpp"

#include "ebb/core/result.hpp"
#include "ebb/mpi/communicator.hpp"

#include <functional>
#include <optional>
#include <string>

namespace ebb::cli {

// Why a rank cannot begin.
struct StartError {
  ExitCode code = ExitCode::done;  // done: there is none
  std::string text;                // for standard error, with its line end
};
[[nodiscard]] StartError bad_input(const Errors& errors);

// Joins the ranks this process was started with, and does the work there.
[[nodiscard]] ExitCode run_on_ranks(const std::function<ExitCode(mpi::Communicator&)>& work);

// The code to end with when a rank has an error, which rank 0 prints.
[[nodiscard]] std::optional<ExitCode> report_start_error(mpi::Communicator& ranks,
                                                         const StartError& here);

// The ranks that have another text than rank 0, as an error of all.
[[nodiscard]] StartError difference_between_ranks(mpi::Communicator& ranks, const std::string& what,
                                                  const std::string& text);

}  // namespace ebb::cli
