// SPDX-License-Identifier: Apache-2.0
//
// Collective operations as the sends, receives and computations of their ranks, by the algorithms
// of MPI libraries. Each works for any number of ranks: where an algorithm needs a power of two,
// ranks that are left over hand their data to a neighbour before it and get the result after it.
//
//   const std::vector<std::uint32_t> world = {0, 1, 2, 3};
//   for (std::uint32_t me = 0; me < 4; ++me) {
//     RankBuilder rank;
//     append(rank, {.kind = Collective::Kind::all_reduce, .ranks = world, .me = me,
//                   .size = bytes(1024), .algorithm = "recursive-doubling"}, std::nullopt);
//     program.add(rank);
//   }
//
// An algorithm goes on in rounds: what a rank does in a round begins when all that it did in the
// round before has ended. What it reduces it has received before, so that reducing is not hidden
// behind a message.
#pragma once

#include "ebb/program/builder.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ebb::program {

struct Collective {
  enum class Kind : std::uint8_t {
    all_reduce,
    reduce,
    all_gather,
    gather,
    scatter,
    broadcast,
    all_to_all,
    reduce_scatter,
    barrier
  };

  Kind kind = Kind::all_reduce;
  std::span<const std::uint32_t> ranks;  // of the group, in its order
  std::uint32_t me = 0;                  // index in `ranks`
  std::uint32_t root = 0;  // index in `ranks`; of reduce, gather, scatter and broadcast
  // all_reduce, reduce, broadcast: the whole vector; all_gather, gather: what each rank
  // contributes; scatter, reduce_scatter: what each rank gets; all_to_all: from each rank to each.
  // A vector that is cut into parts of unequal size has the longer ones first. A message that would
  // be longer than an operation may be (2^57 bytes) has that size.
  DataSize size{};
  // Time in which a rank reduces two whole vectors to one. Of a part of them it takes its share,
  // in whole nanoseconds.
  Duration reduction{};
  std::uint32_t tag = 0;       // of all its messages
  std::string_view algorithm;  // one of `algorithms`; empty: the first of them
  std::uint8_t cpu = 0;        // of all its operations
  std::uint32_t group = 8;     // ranks of a group at most; of the algorithm `hierarchical`
  // all_gather, gather, scatter, reduce_scatter: of each rank, instead of `size`; or empty.
  std::span<const DataSize> sizes{};
};

// The names of the algorithms of a kind, the default first.
[[nodiscard]] std::span<const std::string_view> algorithms(Collective::Kind kind);

// What `auto` stands for: the choice of MPICH by the size and the number of ranks.
// docs/programs/collectives.md has the thresholds and their source.
[[nodiscard]] std::string_view automatic_algorithm(const Collective& collective);

// Appends the operations of one rank of the group; those that come first begin after the end of
// `after`, if there is one. Returns the operation whose end is the end of the collective at this
// rank: a computation of 0 s where several must have ended. A group of one rank does nothing.
std::uint32_t append(RankBuilder& rank, const Collective& collective,
                     std::optional<std::uint32_t> after);

}  // namespace ebb::program
