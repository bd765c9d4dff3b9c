// SPDX-License-Identifier: Apache-2.0
//
// What one rank of an application does, one thing after the other, as its code calls MPI:
//
//   Process process(rank, ranks);
//   process.compute(5us);
//   process.exchange({{left, bytes(8), 1}}, {{right, bytes(8), 1}});
//   process.take_part({.kind = Collective::Kind::all_reduce, .size = bytes(8)});
//
// A message of a rank to itself is a copy in memory and takes no time.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/builder.hpp"
#include "ebb/program/collective.hpp"
#include "ebb/program/program.hpp"
#include "ebb/units/data.hpp"
#include "ebb/units/parameters.hpp"
#include "ebb/units/time.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ebb::applications {

struct Message {
  std::uint32_t peer = 0;
  DataSize size{};
  std::uint32_t tag = 0;
};

class Process {
 public:
  Process(std::uint32_t rank, std::span<const std::uint32_t> world) : rank_(rank), world_(world) {}

  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  [[nodiscard]] std::uint32_t ranks() const { return static_cast<std::uint32_t>(world_.size()); }

  void compute(Duration time);
  void send(const Message& message) { exchange({}, {message}); }
  void receive(const Message& message) { exchange({message}, {}); }
  // All at once; what comes next waits for all of them.
  void exchange(const std::vector<Message>& receives, const std::vector<Message>& sends);
  // With all ranks, by the algorithm that `auto` chooses unless one is named.
  void take_part(program::Collective collective);
  // With those of a group, of which this rank is number `me`, with the tag that it names.
  void take_part(program::Collective collective, std::span<const std::uint32_t> group,
                 std::uint32_t me);

  // What the next operation waits for, and what it is to wait for instead: code that overlaps two
  // things goes back to where the first began, and then waits for the ends of both.
  using Ends = std::vector<std::uint32_t>;
  [[nodiscard]] const Ends& ends() const { return last_; }
  void continue_after(Ends ends) { last_ = std::move(ends); }
  // Which of its CPUs does what comes next.
  void use_cpu(std::uint8_t cpu) { cpu_ = cpu; }

  [[nodiscard]] const program::RankBuilder& operations() const { return operations_; }

 private:
  std::uint32_t add(program::Operation operation, const Ends& after);

  std::uint32_t rank_;
  std::span<const std::uint32_t> world_;
  std::uint8_t cpu_ = 0;
  std::uint32_t collectives_ = 0;  // so far; their tags
  program::RankBuilder operations_;
  Ends last_;
};

// A program of ranks that all do what `run` says; `name` is that of the application. Refuses more
// operations than 200 million.
[[nodiscard]] Result<program::Program> make_ranks(std::uint32_t ranks, const std::string& name,
                                                  const std::function<void(Process&)>& run);

// `flops`: operations in a second of one rank.
[[nodiscard]] Parameter flops_parameter(std::string fallback);
// How long a rank takes, in whole nanoseconds.
[[nodiscard]] Duration time_of(double operations, std::int64_t per_second);

}  // namespace ebb::applications
