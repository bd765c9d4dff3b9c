// SPDX-License-Identifier: Apache-2.0
//
// The algorithms, as in R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of collective
// communication operations in MPICH" (2005), and as MPI libraries call them.
#include "collective_rounds.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace ebb::program {
namespace {

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

// A round less than there are ranks, in each a part to the next rank. In the end a rank has the
// sums of its own part. `rank_of` and `part_of` are by place on the ring.
template <class RankOf, class PartOf>
void reduce_scatter_on(Rounds& rounds, const Ring& ring, const RankOf& rank_of,
                       const PartOf& part_of) {
  for (std::uint32_t step = 1; step < ring.size; ++step) {
    rounds.send(rank_of(ring.next()), part_of(ring.before(step)));
    rounds.reduce(rank_of(ring.before(1)), part_of(ring.before(step + 1)));
    rounds.end_round();
  }
}

// As many rounds: a rank begins with its own part and passes on what it got.
template <class RankOf, class PartOf>
void all_gather_on(Rounds& rounds, const Ring& ring, const RankOf& rank_of, const PartOf& part_of) {
  for (std::uint32_t step = 0; step + 1 < ring.size; ++step) {
    rounds.send(rank_of(ring.next()), part_of(ring.before(step)));
    rounds.receive(rank_of(ring.before(1)), part_of(ring.before(step + 1)));
    rounds.end_round();
  }
}

std::uint32_t itself(std::uint32_t rank) { return rank; }
Blocks own_block(std::uint32_t rank) { return {rank, 1}; }

void ring_reduce_scatter(Rounds& rounds) {
  reduce_scatter_on(rounds, {rounds.p, rounds.me}, itself, own_block);
}

void ring_all_gather(Rounds& rounds) {
  all_gather_on(rounds, {rounds.p, rounds.me}, itself, own_block);
}

void ring_all_reduce(Rounds& rounds) {
  ring_reduce_scatter(rounds);
  ring_all_gather(rounds);
}

// Groups of neighbouring ranks, as the GPUs of a host: a reduce-scatter in the group, an all-reduce
// of each part between the ranks that have it in all groups, and an all-gather in the group, by
// rings. A group has as many ranks as divide all ranks, `rounds.group` at most.
void hierarchical_all_reduce(Rounds& rounds) {
  std::uint32_t size = std::min(rounds.group, rounds.p);
  while (rounds.p % size != 0) --size;
  const std::uint32_t groups = rounds.p / size;
  const Ring inside{size, rounds.me % size};
  const Ring across{groups, rounds.me / size};
  const auto of_group = [&](std::uint32_t place) { return rounds.me - inside.me + place; };
  const auto part = [&](std::uint32_t place) { return Blocks{place * groups, groups}; };
  const auto alike = [&](std::uint32_t group) { return group * size + inside.me; };
  const auto block = [&](std::uint32_t group) { return Blocks{inside.me * groups + group, 1}; };
  reduce_scatter_on(rounds, inside, of_group, part);
  reduce_scatter_on(rounds, across, alike, block);
  all_gather_on(rounds, across, alike, block);
  all_gather_on(rounds, inside, of_group, part);
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

// The root scatters the parts of its vector, and then all ranks gather them.
void scatter_ring_broadcast(Rounds& rounds) {
  tree_scatter(rounds);
  ring_all_gather(rounds);
}

void scatter_doubling_broadcast(Rounds& rounds) {
  tree_scatter(rounds);
  doubling_all_gather(rounds);
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

// Chosen by size (automatic_algorithm).
constexpr std::string_view kAuto = "auto";

// Those of a kind stand together, its default first.
constexpr std::array kAlgorithms = {
    Algorithm{Kind::all_reduce, "ring", ring_all_reduce},
    Algorithm{Kind::all_reduce, "recursive-doubling", doubling_all_reduce},
    Algorithm{Kind::all_reduce, "halving-doubling", halving_doubling_all_reduce},
    Algorithm{Kind::all_reduce, "binomial-tree", tree_all_reduce},
    Algorithm{Kind::all_reduce, "hierarchical", hierarchical_all_reduce},
    Algorithm{Kind::all_reduce, kAuto, nullptr},
    Algorithm{Kind::reduce, "binomial-tree", tree_reduce},
    Algorithm{Kind::reduce, "linear", linear_reduce},
    Algorithm{Kind::reduce, kAuto, nullptr},
    Algorithm{Kind::all_gather, "ring", ring_all_gather},
    Algorithm{Kind::all_gather, "recursive-doubling", doubling_all_gather},
    Algorithm{Kind::all_gather, "bruck", bruck_all_gather},
    Algorithm{Kind::all_gather, kAuto, nullptr},
    Algorithm{Kind::gather, "binomial-tree", tree_gather},
    Algorithm{Kind::gather, "linear", linear_gather},
    Algorithm{Kind::gather, kAuto, nullptr},
    Algorithm{Kind::scatter, "binomial-tree", tree_scatter},
    Algorithm{Kind::scatter, "linear", linear_scatter},
    Algorithm{Kind::scatter, kAuto, nullptr},
    Algorithm{Kind::broadcast, "binomial-tree", tree_broadcast},
    Algorithm{Kind::broadcast, "linear", linear_broadcast},
    Algorithm{Kind::broadcast, "scatter-ring", scatter_ring_broadcast},
    Algorithm{Kind::broadcast, "scatter-doubling", scatter_doubling_broadcast},
    Algorithm{Kind::broadcast, kAuto, nullptr},
    Algorithm{Kind::all_to_all, "pairwise", pairwise_all_to_all},
    Algorithm{Kind::all_to_all, "linear", linear_all_to_all},
    Algorithm{Kind::all_to_all, kAuto, nullptr},
    Algorithm{Kind::reduce_scatter, "ring", ring_reduce_scatter},
    Algorithm{Kind::reduce_scatter, "recursive-halving", halving_reduce_scatter},
    Algorithm{Kind::reduce_scatter, kAuto, nullptr},
    Algorithm{Kind::barrier, "dissemination", dissemination_barrier},
    Algorithm{Kind::barrier, "binomial-tree", tree_all_reduce},
    Algorithm{Kind::barrier, "linear", linear_barrier},
    Algorithm{Kind::barrier, kAuto, nullptr},
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
  const std::string_view name =
      collective.algorithm == kAuto ? automatic_algorithm(collective) : collective.algorithm;
  const auto found = std::ranges::find_if(
      of_kind, [&](const Algorithm& one) { return name.empty() || one.name == name; });
  EBB_CHECK(found != of_kind.end(), "there is no such algorithm of this collective operation");
  Rounds rounds(collective);
  if (rounds.p > 1) found->make(rounds);
  return std::move(rounds).take();
}

}  // namespace ebb::program
