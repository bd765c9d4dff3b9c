// SPDX-License-Identifier: Apache-2.0
//
// A parallel program as its ranks see it: operations (send, receive, compute) that wait for one
// another. It says what happens in which order and never when: times follow from the network.
//
// A program is kept in the binary form of GOAL ("Group Operation Assembly Language" of LogGOPSim),
// in memory or as a mapped file: one of 10^8 operations takes no memory before it runs.
//
//   const Program program = trace::read_trace("allreduce.goal", {})->program;
//   const RankOperations rank = program.rank(3);
//   for (std::uint32_t i = 0; i < rank.size(); ++i) use(rank[i], rank.after_end(i));
//
// Invariant: every index of an operation is in range, and the number of dependencies of an
// operation is how often it is a successor. Readers refuse what is not so.
#pragma once

#include "ebb/units/data.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ebb::program {

// A receive from any rank, or with any tag.
inline constexpr std::uint32_t kAny = 0xffff'ffff;

struct Operation {
  enum class Kind : std::uint8_t { send = 1, receive = 2, compute = 3 };

  Kind kind = Kind::compute;
  std::uint32_t peer = 0;  // the rank that it sends to or receives from
  std::uint32_t tag = 0;
  DataSize size{};  // of a send or a receive
  Duration time{};  // of a computation, in whole nanoseconds
  std::uint8_t cpu = 0;
  std::uint8_t nic = 0;

  bool operator==(const Operation&) const = default;
};

// Indices of operations, as they stand in a file.
class Indices {
 public:
  Indices(const std::byte* first, std::uint32_t count) : first_(first), count_(count) {}

  [[nodiscard]] std::uint32_t size() const { return count_; }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t which) const {
    std::uint32_t index = 0;
    std::memcpy(&index, first_ + std::size_t{which} * sizeof index, sizeof index);
    return index;
  }

 private:
  const std::byte* first_;
  std::uint32_t count_;
};

// The operations of one rank, by index.
class RankOperations {
 public:
  explicit RankOperations(const std::byte* begin);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] Operation operator[](std::uint32_t which) const;
  // Those that wait for nothing.
  [[nodiscard]] Indices roots() const { return roots_; }
  // How many ends and starts of others it waits for.
  [[nodiscard]] std::uint32_t dependencies(std::uint32_t which) const;
  // Those that wait for the end of an operation, and for its start.
  [[nodiscard]] Indices after_end(std::uint32_t which) const;
  [[nodiscard]] Indices after_start(std::uint32_t which) const;

 private:
  std::uint32_t size_;
  Indices roots_;
  const std::byte* operations_;
  const std::byte* successors_;
};

class Program {
 public:
  // Bytes that were checked (goal_binary.cpp), and what keeps them; `lines` are those of the text
  // of each operation, rank after rank, or empty.
  Program(std::string name, std::shared_ptr<const void> owner, std::span<const std::byte> bytes,
          std::vector<std::uint32_t> lines = {});

  [[nodiscard]] const std::string& name() const { return name_; }  // of its file
  [[nodiscard]] std::uint32_t ranks() const { return ranks_; }
  [[nodiscard]] RankOperations rank(std::uint32_t which) const;
  // In the text that it was read from, counted from 1; 0 when there was none.
  [[nodiscard]] int line(std::uint32_t rank, std::uint32_t operation) const;
  // A file of the binary form.
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::string name_;
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
  std::uint32_t ranks_ = 0;
  std::vector<std::uint32_t> lines_;
  std::vector<std::size_t> first_line_;  // by rank, in lines_
};

}  // namespace ebb::program
