// SPDX-License-Identifier: Apache-2.0
//
// Chakra execution traces (MLCommons, astra-sim): for each rank a file PREFIX.N.et of nodes that
// wait for one another. They are read by read_trace; here is what works without files, and what
// writes them.
//
//   const auto losses = chakra_losses(program).value();
//   for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
//     write(fmt::format("{}.{}.et", prefix, rank), chakra_file(program, rank));
#pragma once

#include "ebb/trace/trace.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::trace {

struct ChakraFile {
  std::string name;
  std::string_view bytes;
};

// Why nothing of Chakra is read or written; empty when it is.
[[nodiscard]] std::string_view chakra_missing();

// The files of all ranks, or that of one rank for all. `groups` is a JSON of groups of ranks, or
// empty; `parameters` are those of the format.
[[nodiscard]] Result<Trace> read_chakra(std::span<const ChakraFile> files, const ChakraFile& groups,
                                        const Parameters& parameters);

// What of a program Chakra has no words for and its files will not have, as sentences. Fails on
// what must not be left out: receives from any rank or with any tag.
[[nodiscard]] Result<std::vector<std::string>> chakra_losses(const program::Program& program);

// The file of one rank of a program that chakra_losses accepts: operation i is node i.
[[nodiscard]] std::string chakra_file(const program::Program& program, std::uint32_t rank);

}  // namespace ebb::trace
