// SPDX-License-Identifier: Apache-2.0
//
// What one rank does in a collective operation, before it becomes operations of a program: messages
// in rounds, each of which carries blocks of the data. Which blocks they are is what a test needs
// to prove that every rank ends with what it must have.
//
// The blocks of a vector (all-reduce, reduce, broadcast) are its parts. Those of a gather, a
// scatter and a reduce-scatter are what one rank gives or gets, by its index. Those of an
// all-to-all are what the sender has for each rank, by the index of that rank.
#pragma once

#include "ebb/program/collective.hpp"

#include <cstdint>
#include <vector>

namespace ebb::program {

// `count` blocks from `first` on; after the last block comes block 0.
struct Blocks {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct Transfer {
  // Of what is received, a copy replaces what the rank has and `reduce` adds to it.
  enum class Kind : std::uint8_t { send, receive, reduce };

  Kind kind = Kind::send;
  std::uint32_t round = 0;
  std::uint32_t peer = 0;  // index in the group
  Blocks blocks;
};

struct Schedule {
  std::vector<Transfer> transfers;  // in order of rounds
  std::uint32_t blocks = 1;         // into which the data is cut
};

[[nodiscard]] Schedule schedule(const Collective& collective);

}  // namespace ebb::program
