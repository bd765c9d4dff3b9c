// SPDX-License-Identifier: Apache-2.0
//
// Time-independent traces of SimGrid (SMPI): what ranks compute in flops and send in elements, an
// action on each line,
//
//   RANK ACTION ARGUMENTS
//
// in one file for all ranks, or in a file for each rank and an index file with their names.
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

// The parameters: the rate of a rank, and the algorithms of collective operations.
[[nodiscard]] std::vector<Parameter> simgrid_parameters();

// One text for all ranks, or one for each.
[[nodiscard]] Result<Trace> read_simgrid(std::span<const NamedText> texts, bool one_for_each_rank,
                                         const std::string& name, const Parameters& parameters);

}  // namespace ebb::trace
