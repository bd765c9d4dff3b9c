// SPDX-License-Identifier: Apache-2.0
//
// The program of most parallel jobs in short: all ranks compute, take part in a collective
// operation, and begin again.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/collective.hpp"
#include "ebb/program/program.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ebb::program {

struct CollectiveLoop {
  Collective::Kind kind = Collective::Kind::all_reduce;
  std::uint32_t ranks = 2;
  DataSize size{};             // as in Collective
  std::string algorithm = {};  // empty: the default of the kind
  Duration compute{};          // of each rank, each time
  std::uint32_t repeat = 1;
};

// "all-reduce", "reduce", "all-gather" ... in the order of Collective::Kind.
[[nodiscard]] std::span<const std::string_view> collective_names();
[[nodiscard]] Result<Collective::Kind> find_collective(std::string_view name);

// All that is wrong with it: an unknown algorithm, no ranks, more operations than fit.
[[nodiscard]] Result<Program> make_program(const CollectiveLoop& loop);

}  // namespace ebb::program
