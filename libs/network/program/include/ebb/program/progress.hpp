// SPDX-License-Identifier: Apache-2.0
//
// What a run keeps of one rank: which operations may start, and which messages and receives have
// not met. Every network that runs programs uses both, so that they agree on what a program means.
#pragma once

#include "ebb/core/result.hpp"
#include "ebb/program/program.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ebb::program {

class RankProgress {
 public:
  explicit RankProgress(const RankOperations& rank);

  // Each appends the operations that may start now to `ready`, in the order of the program.
  void begin(std::vector<std::uint32_t>& ready) const;
  void started(std::uint32_t operation, std::vector<std::uint32_t>& ready);
  void ended(std::uint32_t operation, std::vector<std::uint32_t>& ready);

  // Whether the operation waits for nothing but one that has not ended or started.
  [[nodiscard]] bool waits_for_one(std::uint32_t operation) const { return waits_[operation] == 1; }

  [[nodiscard]] bool is_done() const { return ended_ == rank_.size(); }
  [[nodiscard]] std::uint32_t left() const { return rank_.size() - ended_; }

 private:
  void release(const Indices& later, std::vector<std::uint32_t>& ready);

  RankOperations rank_;
  std::vector<std::uint32_t> waits_;  // for so many, by operation
  std::uint32_t ended_ = 0;
};

// Of a run that stalls: the receive that a rank waits for, with the operations that it has left.
[[nodiscard]] Error waits_for(const Program& program, std::uint32_t rank, std::uint32_t receive,
                              std::uint32_t left);

// Messages that arrived and receives that were posted at one rank. A message goes to the receive
// that was posted first of those that it fits, and a receive takes the message that arrived first.
class Mailbox {
 public:
  // The receive that takes the message; without one the message is kept, as `message`.
  [[nodiscard]] std::optional<std::uint32_t> arrive(std::uint32_t source, std::uint32_t tag,
                                                    std::uint32_t message);
  struct Taken {
    std::uint32_t source = 0;
    std::uint32_t message = 0;

    bool operator==(const Taken&) const = default;
  };
  // The message that the receive takes; without one the receive is kept.
  [[nodiscard]] std::optional<Taken> post(std::uint32_t source, std::uint32_t tag,
                                          std::uint32_t receive);

  [[nodiscard]] bool empty() const { return messages_.empty() && exact_.empty() && any_.empty(); }
  // Receives that wait, in order of posting.
  [[nodiscard]] std::vector<std::uint32_t> waiting() const;

 private:
  struct Entry {
    std::uint64_t turn = 0;
    std::uint32_t what = 0;
  };
  struct AnyReceive {
    std::uint32_t source = 0;
    std::uint32_t tag = 0;
    Entry entry;
  };
  using ByEnvelope = std::unordered_map<std::uint64_t, std::deque<Entry>>;

  static std::uint64_t envelope(std::uint32_t source, std::uint32_t tag) {
    return std::uint64_t{source} << 32U | tag;
  }
  static std::uint32_t take_first(ByEnvelope& from, ByEnvelope::iterator at);

  std::uint64_t turn_ = 0;
  ByEnvelope messages_;
  ByEnvelope exact_;             // receives that name source and tag
  std::vector<AnyReceive> any_;  // the others, in order of posting
};

}  // namespace ebb::program
