// SPDX-License-Identifier: Apache-2.0
//
// The calls of MPI that one rank makes, one after the other, as operations of a program. A call
// begins when those before it have returned: one that blocks returns with the end of its operation,
// one that does not (isend, irecv) at once, and its request is waited for later.
//
//   MpiCalls calls(ranks, parameters);
//   calls.begin(3);
//   const std::uint32_t request = calls.ireceive(0, 7, bytes(1000), line);
//   calls.compute(1ms, line);
//   calls.wait({&request, 1});
//   program.add(calls.rank());
//
// Formats that record calls of MPI share it, and with it what a call means.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/builder.hpp"
#include "ebb/program/collective.hpp"
#include "ebb/units/parameters.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ebb::trace {

// Collective operations have tags from here on. Tags of messages are below it: MPI has them up to
// 2^31 - 1. A rank is read without the others, so that its operations cannot be numbered through
// the trace as CollectiveGroups does: their tags are of their group and their place in it, and need
// 31 bits of their own.
inline constexpr std::uint32_t kFirstCollectiveCallTag = 0x8000'0000;
// What a program of MPI calls may have. Each takes about a hundred bytes of memory while it is
// read, and one line of a trace may stand for as many as there are ranks.
inline constexpr std::uint64_t kMostMpiOperations = 50'000'000;

// The algorithm of each collective operation, as parameters of a format.
[[nodiscard]] std::vector<Parameter> algorithm_parameters();

class MpiCalls {
 public:
  using Kind = program::Collective::Kind;

  MpiCalls(std::uint32_t ranks, const Parameters& parameters);

  // The calls that follow are those of this rank.
  void begin(std::uint32_t rank);
  [[nodiscard]] const program::RankBuilder& rank() const { return built_; }
  // Of all ranks so far.
  [[nodiscard]] bool has_too_many() const { return earlier_ + built_.size() > kMostMpiOperations; }

  void compute(Duration time, int line);
  void send(std::uint32_t to, std::uint32_t tag, DataSize size, int line);
  void receive(std::uint32_t from, std::uint32_t tag, DataSize size, int line);
  // Both at the same time.
  void send_receive(const program::Operation& send, const program::Operation& receive, int line);
  // Each gives its request.
  [[nodiscard]] std::uint32_t isend(std::uint32_t to, std::uint32_t tag, DataSize size, int line);
  [[nodiscard]] std::uint32_t ireceive(std::uint32_t from, std::uint32_t tag, DataSize size,
                                       int line);
  void wait(std::span<const std::uint32_t> requests);

  // The group of the collective operations that follow, with the place of the rank in it; `number`
  // tells groups apart. begin() makes it the group of all ranks, which has number 0.
  void use_group(std::span<const std::uint32_t> ranks, std::uint32_t place, std::uint32_t number);
  // The ranks of the group make the same calls in the same order. `root` is a place in it, and
  // sizes are in its order.
  void collective(Kind kind, DataSize size, std::uint32_t root);
  // Those whose ranks give or get different sizes.
  void collective(Kind kind, std::span<const DataSize> sizes);
  void all_to_all(std::span<const DataSize> to, std::span<const DataSize> from, int line);
  // `sizes` count at the root; elsewhere `size` goes to it or comes from it.
  void gather(std::uint32_t root, DataSize size, std::span<const DataSize> sizes, int line);
  void scatter(std::uint32_t root, DataSize size, std::span<const DataSize> sizes, int line);
  // Rank after rank: each takes `time` to add its own to what the rank before it sent.
  void scan(DataSize size, Duration time, int line);

 private:
  std::uint32_t add(const program::Operation& operation, int line);
  // What follows begins after the end of these.
  void go_on_after(std::vector<std::uint32_t> operations);
  void exchange(const std::vector<program::Operation>& messages, int line);
  [[nodiscard]] std::uint32_t next_collective_tag();
  // A message with every other rank of the group.
  [[nodiscard]] std::vector<program::Operation> with_others(program::Operation::Kind kind,
                                                            std::uint32_t tag,
                                                            std::span<const DataSize> sizes) const;
  void append(program::Collective collective);

  std::vector<std::uint32_t> world_;
  std::map<Kind, std::string> algorithms_;
  std::uint64_t earlier_ = 0;  // operations of earlier ranks
  std::span<const std::uint32_t> group_;
  std::uint32_t place_ = 0;
  std::uint32_t number_ = 0;
  std::map<std::uint32_t, std::uint32_t> collectives_;  // of this rank, by the number of the group
  program::RankBuilder built_;
  std::vector<std::uint32_t> returned_;  // operations that the next call waits for
};

// What a reader changed, as one sentence for each kind of change.
class ChangeCounts {
 public:
  // `what` is a sentence without its full stop.
  void add(std::string_view what, std::string_view file, int line);
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Change {
    std::uint64_t count = 0;
    std::string first;
  };
  std::map<std::string, Change, std::less<>> changes_;
};

}  // namespace ebb::trace
