// SPDX-License-Identifier: Apache-2.0
//
// What parallel programs send: HPL and the NAS Parallel Benchmarks of class C, as sizes of messages
// between ranks from their published algorithms. docs/models/regulation.md has the formulas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::repro {

struct RankMessage {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t bytes = 0;  // over the whole run
};

// Messages that are under way together; one phase ends before the next begins.
struct Phase {
  std::vector<RankMessage> messages;
  bool hidden = false;  // behind computation, as the look-ahead of HPL does
};

struct Program {
  std::string name;
  std::uint32_t ranks_per_host = 1;
  int cards_per_host = 1;  // of 1 Gb/s
  std::vector<Phase> phases;
  // Share of the run that is communication with all links open; none: from `seconds`.
  double communication = 0;
  double seconds = 0;  // of the run, where volumes and run time are both known
};

enum class RankOrder : std::uint8_t { by_row, by_column };

// N = 234,960, NB = 220, 6 x 88 ranks, 8 on each host, 1-ring broadcast, 3.21 Tflop/s.
[[nodiscard]] Program hpl(RankOrder order);
// BT, CG, FT, IS, LU, MG with 64 ranks, one on each host.
[[nodiscard]] std::vector<Program> nas_benchmarks();

}  // namespace ebb::repro
