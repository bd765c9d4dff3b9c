// SPDX-License-Identifier: Apache-2.0
//
// Traces of programs that use MPI, from texts in memory.
//
//   const NamedText text{"trace.txt", file->text()};
//   const auto parameters = Parameters::resolve(simgrid_parameters(), {}).value();
//   const auto trace = read_simgrid({&text, 1}, false, "trace.txt", parameters);
#pragma once

#include "ebb/trace/trace.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::trace {

struct NamedText {
  std::string name;  // stands in messages
  std::string_view text;
};

// Time-independent traces of SimGrid (SMPI): what ranks compute in flops and send in elements, an
// action on each line, "RANK ACTION ARGUMENTS", in one text for all ranks or in one for each.
[[nodiscard]] Result<Trace> read_simgrid(std::span<const NamedText> texts, bool one_for_each_rank,
                                         const std::string& name, const Parameters& parameters);
// The rate of a rank, and the algorithms of collective operations.
[[nodiscard]] std::vector<Parameter> simgrid_parameters();

// Calls of MPI with their times and arguments, as dumpi2ascii prints a DUMPI trace: a text for each
// rank.
[[nodiscard]] Result<Trace> read_dumpi(std::span<const NamedText> texts, const std::string& name,
                                       const Parameters& parameters);
// The share of the time between calls that is computed, and the algorithms.
[[nodiscard]] std::vector<Parameter> dumpi_parameters();

}  // namespace ebb::trace
