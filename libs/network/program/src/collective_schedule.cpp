// SPDX-License-Identifier: Apache-2.0
//
// The algorithms, as in R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
// communication operations in MPICH" (2005), and as MPI libraries call them.
#include "collective_schedule.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace ebb::program {
namespace {

// The messages of one rank, and where it stands in its group of p ranks.
class Rounds {
 public:
  Rounds(std::uint32_t ranks, std::uint32_t self, std::uint32_t root)
      : p(ranks), me(self), root_(root) {
    made_.blocks = ranks;
  }

  const std::uint32_t p;
  const std::uint32_t me;

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

// A passive rank gives all it has to its partner.
void fold_in(Rounds& rounds, const Fold& fold) {
  if (!fold.is_paired()) return;
  if (fold.is_passive()) {
    rounds.send(fold.partner(), rounds.all());
  } else {
    rounds.reduce(fold.partner(), rounds.all());
  }
  rounds.end_round();
}

// ... and gets the result from it.
void fold_out(Rounds& rounds, const Fold& fold, Blocks blocks) {
  if (!fold.is_paired()) return;
  if (fold.is_passive()) {
    rounds.receive(fold.partner(), blocks);
  } else {
    rounds.send(fold.partner(), blocks);
  }
}

// p - 1 rounds, in each a block to the next rank. In the end a rank has the sums of its own block.
void ring_reduce_scatter(Rounds& rounds) {
  for (std::uint32_t step = 1; step < rounds.p; ++step) {
    rounds.send(rounds.after(rounds.me, 1), {rounds.before(rounds.me, step), 1});
    rounds.reduce(rounds.before(rounds.me, 1), {rounds.before(rounds.me, step + 1), 1});
    rounds.end_round();
  }
}

// p - 1 rounds: a rank begins with its own block and passes on what it got.
void ring_all_gather(Rounds& rounds) {
  for (std::uint32_t step = 0; step + 1 < rounds.p; ++step) {
    rounds.send(rounds.after(rounds.me, 1), {rounds.before(rounds.me, step), 1});
    rounds.receive(rounds.before(rounds.me, 1), {rounds.before(rounds.me, step + 1), 1});
    rounds.end_round();
  }
}

void ring_all_reduce(Rounds& rounds) {
  ring_reduce_scatter(rounds);
  ring_all_gather(rounds);
}

// log2 q rounds, in each everything is exchanged with a rank twice as far away.
void doubling_all_reduce(Rounds& rounds) {
  const Fold fold(rounds);
  fold_in(rounds, fold);
  for (std::uint32_t mask = 1; mask < fold.active() && !fold.is_passive(); mask *= 2) {
    const std::uint32_t peer = fold.rank_of(fold.number() ^ mask);
    rounds.send(peer, rounds.all());
    rounds.reduce(peer, rounds.all());
    rounds.end_round();
  }
  fold_out(rounds, fold, rounds.all());
}

// Rounds of halves, quarters ... until an active rank has the sums of what it stands for.
// `blocks_of` are the blocks of some active ranks.
template <class BlocksOf>
void halve(Rounds& rounds, const Fold& fold, const BlocksOf& blocks_of) {
  for (std::uint32_t mask = fold.active() / 2; mask > 0; mask /= 2) {
    const std::uint32_t number = fold.number();
    const std::uint32_t kept = number & ~(mask - 1);  // the first active rank of the half
    const std::uint32_t peer = fold.rank_of(number ^ mask);
    rounds.send(peer, blocks_of(kept ^ mask, mask));
    rounds.reduce(peer, blocks_of(kept, mask));
    rounds.end_round();
  }
}

// The way back: what a rank has is doubled in each round.
template <class BlocksOf>
void double_up(Rounds& rounds, const Fold& fold, const BlocksOf& blocks_of) {
  for (std::uint32_t mask = 1; mask < fold.active(); mask *= 2) {
    const std::uint32_t number = fold.number();
    const std::uint32_t had = number & ~(mask - 1);
    const std::uint32_t peer = fold.rank_of(number ^ mask);
    rounds.send(peer, blocks_of(had, mask));
    rounds.receive(peer, blocks_of(had ^ mask, mask));
    rounds.end_round();
  }
}

// Rabenseifner's algorithm. The vector has a part for each active rank.
void halving_doubling_all_reduce(Rounds& rounds) {
  const Fold fold(rounds);
  rounds.cut_into(fold.active());
  fold_in(rounds, fold);
  if (!fold.is_passive()) {
    const auto parts = [](std::uint32_t first, std::uint32_t count) {
      return Blocks{first, count};
    };
    halve(rounds, fold, parts);
    double_up(rounds, fold, parts);
  }
  fold_out(rounds, fold, rounds.all());
}

void halving_reduce_scatter(Rounds& rounds) {
  const Fold fold(rounds);
  fold_in(rounds, fold);
  if (!fold.is_passive()) {
    halve(rounds, fold,
          [&](std::uint32_t first, std::uint32_t count) { return fold.blocks_of(first, count); });
  }
  fold_out(rounds, fold, {rounds.me & ~1U, 1});
}

// A passive rank gives its block, and gets all others.
void doubling_all_gather(Rounds& rounds) {
  const Fold fold(rounds);
  if (fold.is_passive()) {
    rounds.send(fold.partner(), {rounds.me, 1});
    rounds.end_round();
  } else {
    if (fold.is_paired()) {
      rounds.receive(fold.partner(), {fold.partner(), 1});
      rounds.end_round();
    }
    double_up(rounds, fold, [&](std::uint32_t first, std::uint32_t count) {
      return fold.blocks_of(first, count);
    });
  }
  fold_out(rounds, fold, {rounds.me | 1U, rounds.p - 1});
}

// ceil(log2 p) rounds: a rank that has the d blocks from its own on sends them d ranks back.
void bruck_all_gather(Rounds& rounds) {
  for (std::uint32_t distance = 1; distance < rounds.p; distance *= 2) {
    const std::uint32_t count = std::min(distance, rounds.p - distance);
    rounds.send(rounds.before(rounds.me, distance), {rounds.me, count});
    const std::uint32_t from = rounds.after(rounds.me, distance);
    rounds.receive(from, {from, count});
    rounds.end_round();
  }
}

// Trees are binomial: the parent of a rank is found by clearing the lowest bit of its distance from
// the root. The subtree of a rank is the ranks up to that bit away.
std::uint32_t subtree_limit(const Rounds& rounds) {
  const std::uint32_t relative = rounds.relative();
  return relative == 0 ? std::bit_ceil(rounds.p) : relative & (~relative + 1);
}

std::uint32_t parent_of(const Rounds& rounds) {
  return rounds.absolute(rounds.relative() & (rounds.relative() - 1));
}

// The child at a distance, and the blocks of its subtree.
struct Child {
  std::uint32_t index;
  Blocks subtree;
};
Child child_at(const Rounds& rounds, std::uint32_t distance) {
  const std::uint32_t relative = rounds.relative() + distance;
  const std::uint32_t index = rounds.absolute(relative);
  return {index, {index, std::min(distance, rounds.p - relative)}};
}
bool has_child(const Rounds& rounds, std::uint32_t distance) {
  return distance < rounds.p - rounds.relative();
}

// From the leaves to the root, near children first, one after the other.
void tree_reduce(Rounds& rounds) {
  const std::uint32_t limit = subtree_limit(rounds);
  for (std::uint32_t distance = 1; distance < limit; distance *= 2) {
    if (!has_child(rounds, distance)) continue;
    rounds.reduce(child_at(rounds, distance).index, rounds.all());
    rounds.end_round();
  }
  if (!rounds.is_root()) rounds.send(parent_of(rounds), rounds.all());
  rounds.end_round();
}

void tree_gather(Rounds& rounds) {
  const std::uint32_t limit = subtree_limit(rounds);
  for (std::uint32_t distance = 1; distance < limit; distance *= 2) {
    if (!has_child(rounds, distance)) continue;
    const Child child = child_at(rounds, distance);
    rounds.receive(child.index, child.subtree);
    rounds.end_round();
  }
  if (rounds.is_root()) return;
  rounds.send(parent_of(rounds), {rounds.me, std::min(limit, rounds.p - rounds.relative())});
}

// From the root to the leaves, far children first.
void tree_broadcast(Rounds& rounds) {
  if (!rounds.is_root()) rounds.receive(parent_of(rounds), rounds.all());
  rounds.end_round();
  for (std::uint32_t distance = subtree_limit(rounds) / 2; distance > 0; distance /= 2) {
    if (!has_child(rounds, distance)) continue;
    rounds.send(child_at(rounds, distance).index, rounds.all());
    rounds.end_round();
  }
}

void tree_scatter(Rounds& rounds) {
  const std::uint32_t limit = subtree_limit(rounds);
  if (!rounds.is_root())
    rounds.receive(parent_of(rounds), {rounds.me, std::min(limit, rounds.p - rounds.relative())});
  rounds.end_round();
  for (std::uint32_t distance = limit / 2; distance > 0; distance /= 2) {
    if (!has_child(rounds, distance)) continue;
    const Child child = child_at(rounds, distance);
    rounds.send(child.index, child.subtree);
    rounds.end_round();
  }
}

void tree_all_reduce(Rounds& rounds) {
  tree_reduce(rounds);
  tree_broadcast(rounds);
}

// Linear: the root exchanges a message with every other rank, all at the same time.
void linear_reduce(Rounds& rounds) {
  if (!rounds.is_root()) rounds.send(rounds.absolute(0), rounds.all());
  for (std::uint32_t k = 1; k < rounds.p && rounds.is_root(); ++k)
    rounds.reduce(rounds.absolute(k), rounds.all());
  rounds.end_round();
}

void linear_broadcast(Rounds& rounds) {
  if (!rounds.is_root()) rounds.receive(rounds.absolute(0), rounds.all());
  for (std::uint32_t k = 1; k < rounds.p && rounds.is_root(); ++k)
    rounds.send(rounds.absolute(k), rounds.all());
}

void linear_gather(Rounds& rounds) {
  if (!rounds.is_root()) rounds.send(rounds.absolute(0), {rounds.me, 1});
  for (std::uint32_t k = 1; k < rounds.p && rounds.is_root(); ++k)
    rounds.receive(rounds.absolute(k), {rounds.absolute(k), 1});
}

void linear_scatter(Rounds& rounds) {
  if (!rounds.is_root()) rounds.receive(rounds.absolute(0), {rounds.me, 1});
  for (std::uint32_t k = 1; k < rounds.p && rounds.is_root(); ++k)
    rounds.send(rounds.absolute(k), {rounds.absolute(k), 1});
}

void linear_barrier(Rounds& rounds) {
  linear_reduce(rounds);
  linear_broadcast(rounds);
}

// In round k a rank sends to the k-th after it and receives from the k-th before it.
void exchange_blocks(Rounds& rounds, bool in_rounds) {
  for (std::uint32_t k = 1; k < rounds.p; ++k) {
    const std::uint32_t to = rounds.after(rounds.me, k);
    rounds.send(to, {to, 1});
    rounds.receive(rounds.before(rounds.me, k), {rounds.me, 1});
    if (in_rounds) rounds.end_round();
  }
}

void pairwise_all_to_all(Rounds& rounds) { exchange_blocks(rounds, true); }
void linear_all_to_all(Rounds& rounds) { exchange_blocks(rounds, false); }

// In round k a rank hears of the 2^k ranks before those that it has heard of.
void dissemination_barrier(Rounds& rounds) {
  for (std::uint32_t distance = 1; distance < rounds.p; distance *= 2) {
    rounds.send(rounds.after(rounds.me, distance), rounds.all());
    rounds.receive(rounds.before(rounds.me, distance), rounds.all());
    rounds.end_round();
  }
}

struct Algorithm {
  Collective::Kind kind;
  std::string_view name;
  void (*make)(Rounds&);
};

using Kind = Collective::Kind;

// Those of a kind stand together, its default first.
constexpr std::array kAlgorithms = {
    Algorithm{Kind::all_reduce, "ring", ring_all_reduce},
    Algorithm{Kind::all_reduce, "recursive-doubling", doubling_all_reduce},
    Algorithm{Kind::all_reduce, "halving-doubling", halving_doubling_all_reduce},
    Algorithm{Kind::all_reduce, "binomial-tree", tree_all_reduce},
    Algorithm{Kind::reduce, "binomial-tree", tree_reduce},
    Algorithm{Kind::reduce, "linear", linear_reduce},
    Algorithm{Kind::all_gather, "ring", ring_all_gather},
    Algorithm{Kind::all_gather, "recursive-doubling", doubling_all_gather},
    Algorithm{Kind::all_gather, "bruck", bruck_all_gather},
    Algorithm{Kind::gather, "binomial-tree", tree_gather},
    Algorithm{Kind::gather, "linear", linear_gather},
    Algorithm{Kind::scatter, "binomial-tree", tree_scatter},
    Algorithm{Kind::scatter, "linear", linear_scatter},
    Algorithm{Kind::broadcast, "binomial-tree", tree_broadcast},
    Algorithm{Kind::broadcast, "linear", linear_broadcast},
    Algorithm{Kind::all_to_all, "pairwise", pairwise_all_to_all},
    Algorithm{Kind::all_to_all, "linear", linear_all_to_all},
    Algorithm{Kind::reduce_scatter, "ring", ring_reduce_scatter},
    Algorithm{Kind::reduce_scatter, "recursive-halving", halving_reduce_scatter},
    Algorithm{Kind::barrier, "dissemination", dissemination_barrier},
    Algorithm{Kind::barrier, "binomial-tree", tree_all_reduce},
    Algorithm{Kind::barrier, "linear", linear_barrier},
};

constexpr auto kAlgorithmNames = [] {
  std::array<std::string_view, kAlgorithms.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kAlgorithms[i].name;
  return names;
}();

struct FirstAndCount {
  std::size_t first = 0;
  std::size_t count = 0;
};
FirstAndCount algorithms_of(Kind kind) {
  const auto is_of_kind = [&](const Algorithm& one) { return one.kind == kind; };
  const auto first = std::ranges::find_if(kAlgorithms, is_of_kind) - kAlgorithms.begin();
  const auto count = std::ranges::count_if(kAlgorithms, is_of_kind);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(count)};
}

}  // namespace

std::span<const std::string_view> algorithms(Kind kind) {
  const auto [first, count] = algorithms_of(kind);
  return std::span(kAlgorithmNames).subspan(first, count);
}

Schedule schedule(const Collective& collective) {
  const auto [first, count] = algorithms_of(collective.kind);
  const auto of_kind = std::span(kAlgorithms).subspan(first, count);
  const auto found = std::ranges::find_if(of_kind, [&](const Algorithm& one) {
    return collective.algorithm.empty() || one.name == collective.algorithm;
  });
  EBB_CHECK(found != of_kind.end(), "there is no such algorithm of this collective operation");
  Rounds rounds(static_cast<std::uint32_t>(collective.ranks.size()), collective.me,
                collective.root);
  if (rounds.p > 1) found->make(rounds);
  return std::move(rounds).take();
}

}  // namespace ebb::program
