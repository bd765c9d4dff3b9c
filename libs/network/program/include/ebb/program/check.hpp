// SPDX-License-Identifier: Apache-2.0
//
// What a program consists of, and what is wrong with it before it runs: sends and receives without
// a partner, peers that do not exist, operations that wait for themselves. A program without these
// mistakes may still stall, because two ranks wait for each other; a run says so.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"

#include <cstddef>
#include <cstdint>

namespace ebb::program {

// Mistakes that are reported at most, here and by readers.
inline constexpr std::size_t kMostErrors = 100;

struct Summary {
  std::uint32_t ranks = 0;
  std::uint32_t ranks_with_operations = 0;
  std::uint64_t sends = 0;
  std::uint64_t receives = 0;
  std::uint64_t computations = 0;
  DataSize sent{};              // of all sends
  DataSize largest{};           // message
  Duration compute_time{};      // of all computations; the longest Duration when it would be longer
  std::uint64_t after_end = 0;  // dependencies on the end of an operation
  std::uint64_t after_start = 0;  // and on its start
  std::uint64_t any_source = 0;   // receives
  std::uint64_t any_tag = 0;
  std::uint64_t markers = 0;  // sends of 0 bytes to a rank that does not exist
  std::uint32_t cpus = 0;     // of a rank
  std::uint32_t nics = 0;

  bool operator==(const Summary&) const = default;
};

[[nodiscard]] Summary summarize(const Program& program);

// Some programs mark their end by a send of 0 bytes to a rank that does not exist.
enum class Markers { refuse, accept };

// All mistakes, up to kMostErrors, with file, rank and, of a text, line.
//
// Which message a receive from any rank or with any tag takes depends on the run. Here it takes one
// that no other receive must have, if there is one.
[[nodiscard]] Errors check(const Program& program, Markers markers);

}  // namespace ebb::program
