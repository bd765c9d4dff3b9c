// SPDX-License-Identifier: Apache-2.0
//
// The communicators of a program. A trace gives them numbers that mean something on one rank only,
// so that they are told apart by where they come from: the communicator that they were made of, how
// many were made of it before, and the colour of a split. Who is in one is known when the calls of
// all ranks have been seen.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace ebb::trace {

class Communicators {
 public:
  static constexpr std::uint32_t kWorld = 0;

  explicit Communicators(std::uint32_t ranks);

  // First for every rank, in the order of its calls: the communicator that a rank makes of another,
  // by its index; `key` decides its place there.
  std::uint32_t make(std::uint32_t rank, std::uint32_t parent, std::int64_t colour,
                     std::int64_t key);
  // Then once: who is in which.
  void resolve();
  // Then again, with the same calls: what `make` gave.
  void begin_again() { made_.clear(); }
  [[nodiscard]] std::uint32_t made(std::uint32_t rank, std::uint32_t parent, std::int64_t colour);

  // After resolve(): its ranks, in its order.
  [[nodiscard]] std::span<const std::uint32_t> ranks(std::uint32_t communicator) const {
    return members_[communicator];
  }
  // The place of a rank there, if it has one.
  [[nodiscard]] std::optional<std::uint32_t> place(std::uint32_t communicator,
                                                   std::uint32_t rank) const;

 private:
  // Parent, how many a rank had made of it before, colour.
  using Origin = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;
  struct Member {
    std::int64_t key = 0;
    std::uint32_t rank = 0;
  };
  [[nodiscard]] Origin next_origin(std::uint32_t rank, std::uint32_t parent, std::int64_t colour);

  std::map<Origin, std::uint32_t> by_origin_;
  std::vector<std::uint32_t> parent_;        // by index
  std::vector<std::vector<Member>> joined_;  // by index, in the order of ranks
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> places_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> made_;  // by rank and parent
};

}  // namespace ebb::trace
