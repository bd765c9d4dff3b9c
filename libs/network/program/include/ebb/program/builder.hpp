// SPDX-License-Identifier: Apache-2.0
//
// Programs are made rank by rank, in order:
//
//   ProgramBuilder program(2);
//   RankBuilder rank;
//   const auto got = rank.add({.kind = Operation::Kind::receive, .peer = 1, .size = bytes(8)});
//   const auto used = rank.add({.kind = Operation::Kind::compute, .time = 500ns});
//   rank.wait_for_end(used, got);
//   program.add(rank);
//   ...
//   const Program made = std::move(program).build("example");
#pragma once

#include "ebb/program/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ebb::program {

class RankBuilder {
 public:
  // Its index. `line` is that of a text, if there is one.
  std::uint32_t add(const Operation& operation, std::uint32_t line = 0);
  // `later` begins after `earlier` has ended, or after it has started.
  void wait_for_end(std::uint32_t later, std::uint32_t earlier);
  void wait_for_start(std::uint32_t later, std::uint32_t earlier);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(items_.size()); }

 private:
  friend class ProgramBuilder;
  struct Item {
    Operation operation;
    std::uint32_t line = 0;
    std::uint32_t dependencies = 0;
    std::uint32_t after_end = 0;  // how many wait
    std::uint32_t after_start = 0;
  };
  struct Edge {
    std::uint32_t earlier = 0;
    std::uint32_t later = 0;
  };
  std::vector<Item> items_;
  std::vector<Edge> ends_;
  std::vector<Edge> starts_;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(std::uint32_t ranks);

  // The next rank.
  void add(const RankBuilder& rank);
  // The next `ranks` have no operations.
  void skip(std::uint32_t ranks);
  // After the last rank. Ranks that were not added have no operations.
  [[nodiscard]] Program build(std::string name) &&;

 private:
  std::uint32_t ranks_;
  std::uint32_t added_ = 0;
  std::vector<std::byte> bytes_;
  std::vector<std::uint32_t> lines_;
  bool has_lines_ = false;
};

}  // namespace ebb::program
