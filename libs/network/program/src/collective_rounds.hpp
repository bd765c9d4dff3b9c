// SPDX-License-Identifier: Apache-2.0
//
// What the algorithms of collective operations are written with: the messages of one rank, round
// after round, rings of ranks, and ranks that are left over from a power of two.
#pragma once

#include "collective_schedule.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace ebb::program {

// The messages of one rank, and where it stands in its group of p ranks.
class Rounds {
 public:
  explicit Rounds(const Collective& collective)
      : p(static_cast<std::uint32_t>(collective.ranks.size())),
        me(collective.me),
        group(collective.group),
        root_(collective.root) {
    made_.blocks = p;
  }

  const std::uint32_t p;
  const std::uint32_t me;
  const std::uint32_t group;  // ranks of a group at most

  // Distance from the root in the order of the group, and back: trees are those of root 0.
  [[nodiscard]] std::uint32_t relative() const { return before(me, root_); }
  [[nodiscard]] std::uint32_t absolute(std::uint32_t relative) const {
    return after(root_, relative);
  }
  [[nodiscard]] bool is_root() const { return me == root_; }
  // Indices on the ring of ranks.
  [[nodiscard]] std::uint32_t after(std::uint32_t index, std::uint32_t steps) const {
    return static_cast<std::uint32_t>((std::uint64_t{index} + steps) % p);
  }
  [[nodiscard]] std::uint32_t before(std::uint32_t index, std::uint32_t steps) const {
    return after(index, p - steps % p);
  }
  [[nodiscard]] Blocks all() const { return {0, made_.blocks}; }

  void cut_into(std::uint32_t blocks) { made_.blocks = blocks; }
  void send(std::uint32_t peer, Blocks blocks) { add(Transfer::Kind::send, peer, blocks); }
  void receive(std::uint32_t peer, Blocks blocks) { add(Transfer::Kind::receive, peer, blocks); }
  void reduce(std::uint32_t peer, Blocks blocks) { add(Transfer::Kind::reduce, peer, blocks); }
  void end_round() { ++round_; }

  Schedule take() && { return std::move(made_); }

 private:
  void add(Transfer::Kind kind, std::uint32_t peer, Blocks blocks) {
    made_.transfers.push_back({kind, round_, peer, blocks});
  }

  std::uint32_t root_;
  std::uint32_t round_ = 0;
  Schedule made_;
};

// Of p = q + r ranks, q a power of two, the first 2 r are pairs: the even one of a pair is passive,
// and the odd one stands for both. Active ranks are numbered from 0 to q - 1.
class Fold {
 public:
  explicit Fold(const Rounds& rounds)
      : me_(rounds.me), active_(std::bit_floor(rounds.p)), left_over_(rounds.p - active_) {}

  [[nodiscard]] bool is_paired() const { return me_ < 2 * left_over_; }
  [[nodiscard]] bool is_passive() const { return is_paired() && me_ % 2 == 0; }
  [[nodiscard]] std::uint32_t partner() const { return me_ ^ 1U; }
  [[nodiscard]] std::uint32_t active() const { return active_; }
  // Of this rank, which is not passive.
  [[nodiscard]] std::uint32_t number() const { return is_paired() ? me_ / 2 : me_ - left_over_; }
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t number) const {
    return number < left_over_ ? 2 * number + 1 : number + left_over_;
  }
  // The blocks that `count` active ranks stand for.
  [[nodiscard]] Blocks blocks_of(std::uint32_t number, std::uint32_t count) const {
    return {first_block(number), first_block(number + count) - first_block(number)};
  }

 private:
  [[nodiscard]] std::uint32_t first_block(std::uint32_t number) const {
    return number < left_over_ ? 2 * number : number + left_over_;
  }

  std::uint32_t me_;
  std::uint32_t active_;
  std::uint32_t left_over_;
};

// Some ranks that pass parts of the data around: how many there are, and which of them this one is.
struct Ring {
  std::uint32_t size = 0;
  std::uint32_t me = 0;

  [[nodiscard]] std::uint32_t before(std::uint32_t steps) const {
    return (me + size - steps % size) % size;
  }
  [[nodiscard]] std::uint32_t next() const { return (me + 1) % size; }
};

}  // namespace ebb::program
