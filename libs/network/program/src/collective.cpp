// SPDX-License-Identifier: Apache-2.0
#include "ebb/program/collective.hpp"

#include "collective_schedule.hpp"
#include "layout.hpp"

#include "ebb/core/check.hpp"
#include "ebb/units/quantity.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace ebb::program {
namespace {

// How many bytes some blocks have.
class BlockSizes {
 public:
  BlockSizes(const Collective& collective, std::uint32_t blocks) : blocks_(blocks) {
    for (const DataSize size : collective.sizes) {
      if (sums_.empty()) sums_.push_back(0);
      sums_.push_back(sums_.back() + size.count() / 8);
    }
    const std::int64_t size = collective.size.count() / 8;
    switch (collective.kind) {
      case Collective::Kind::all_reduce:
      case Collective::Kind::reduce:
      case Collective::Kind::broadcast:
        each_ = size / blocks;
        longer_ = static_cast<std::uint32_t>(size % blocks);
        return;
      case Collective::Kind::barrier:
        return;
      default:
        each_ = size;
    }
  }

  [[nodiscard]] Int128 of(Blocks blocks) const {
    const std::uint64_t end = std::uint64_t{blocks.first} + blocks.count;
    if (end <= blocks_) return before(end) - before(blocks.first);
    return before(blocks_) - before(blocks.first) + before(end - blocks_);
  }

 private:
  // Those of the first `count` blocks.
  [[nodiscard]] Int128 before(std::uint64_t count) const {
    if (!sums_.empty()) return sums_[count];
    return static_cast<Int128>(each_) * count + std::min<std::uint64_t>(count, longer_);
  }

  std::uint32_t blocks_;
  std::int64_t each_ = 0;
  std::uint32_t longer_ = 0;  // so many of the first have a byte more
  std::vector<Int128> sums_;  // of the sizes of ranks, by the number of them; empty without sizes
};

// Operations of one collective, round after round.
class Appending {
 public:
  Appending(RankBuilder& rank, const Collective& collective, const Schedule& schedule,
            std::optional<std::uint32_t> after)
      : rank_(rank),
        collective_(collective),
        sizes_(collective, schedule.blocks),
        whole_(sizes_.of({0, schedule.blocks})) {
    if (after) last_.push_back(*after);
  }

  // Everything in `round` waits for what came before it.
  void append(std::span<const Transfer> round) {
    if (round.size() > 2 && last_.size() > 2) join();
    std::vector<std::uint32_t> these;
    these.reserve(round.size());
    for (const Transfer& transfer : round) {
      const std::uint32_t message = add(message_of(transfer), last_);
      const Operation reducing = reduction_of(transfer);
      these.push_back(reducing.time > Duration{} ? add(reducing, {{message}}) : message);
    }
    last_ = std::move(these);
  }

  [[nodiscard]] std::uint32_t end() {
    if (last_.size() != 1) join();
    return last_.front();
  }

 private:
  void join() {
    const std::uint32_t all = add({.kind = Operation::Kind::compute}, last_);
    last_ = {all};
  }

  std::uint32_t add(const Operation& operation, std::span<const std::uint32_t> after) {
    Operation on_its_cpu = operation;
    on_its_cpu.cpu = collective_.cpu;
    const std::uint32_t added = rank_.add(on_its_cpu);
    for (const std::uint32_t earlier : after) rank_.wait_for_end(added, earlier);
    return added;
  }

  [[nodiscard]] Operation message_of(const Transfer& transfer) const {
    const auto most = static_cast<Int128>(layout::kMostBytes);
    const auto size = static_cast<std::int64_t>(std::min(sizes_.of(transfer.blocks), most));
    const bool sends = transfer.kind == Transfer::Kind::send;
    return {.kind = sends ? Operation::Kind::send : Operation::Kind::receive,
            .peer = collective_.ranks[transfer.peer],
            .tag = collective_.tag,
            .size = bytes(size)};
  }

  [[nodiscard]] Operation reduction_of(const Transfer& transfer) const {
    Operation reducing{.kind = Operation::Kind::compute};
    if (transfer.kind != Transfer::Kind::reduce || whole_ == 0) return reducing;
    const Int128 unit = std::max<Int128>(whole_ >> 57, 1);  // bytes, so that no product overflows
    const Int128 part = sizes_.of(transfer.blocks) / unit;
    const Int128 time = part * collective_.reduction.count() / (whole_ / unit);
    reducing.time = Duration(static_cast<std::int64_t>(time));
    return reducing;
  }

  RankBuilder& rank_;
  const Collective& collective_;
  BlockSizes sizes_;
  Int128 whole_;
  std::vector<std::uint32_t> last_;  // what the next round waits for
};

}  // namespace

std::uint32_t append(RankBuilder& rank, const Collective& collective,
                     std::optional<std::uint32_t> after) {
  EBB_CHECK(collective.me < collective.ranks.size() && collective.root < collective.ranks.size(),
            "a rank of a collective operation must be one of its group");
  EBB_CHECK(collective.sizes.empty() || collective.sizes.size() == collective.ranks.size(),
            "a collective operation has a size for each of its ranks");
  const Schedule all = schedule(collective);
  Appending appending(rank, collective, all, after);
  auto first = all.transfers.begin();
  while (first != all.transfers.end()) {
    const auto end = std::find_if(first, all.transfers.end(), [&](const Transfer& transfer) {
      return transfer.round != first->round;
    });
    appending.append({first, end});
    first = end;
  }
  return appending.end();
}

}  // namespace ebb::program
