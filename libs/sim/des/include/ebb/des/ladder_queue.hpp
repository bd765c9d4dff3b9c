// SPDX-License-Identifier: Apache-2.0
//
// The pending events in order: a ladder queue ("Ladder Queue: An O(1) Priority Queue Structure for
// Large-Scale Discrete Event Simulation", Tang, Goh and Thng, 2005). docs/design/0002 has the
// measurements that chose it.
//
//   top      events of the far future, unsorted
//   rungs    each has buckets; a rung divides one bucket of the rung above it, buckets are unsorted
//   bottom   the events of the bucket that is due, sorted; and those pushed since, in a heap
//
// An event moves down at most once per rung and is sorted only in a small bottom, so a push and a
// pop cost a constant number of list operations whatever the number of pending events. The order of
// what comes out is that of `before` alone: how buckets are cut never shows.
#pragma once

#include "ebb/core/check.hpp"
#include "ebb/core/large_vector.hpp"
#include "ebb/des/event.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ebb::des {

template <class Payload>
class LadderQueue {
 public:
  using Pool = EventPool<Payload>;

  explicit LadderQueue(Pool& pool) : pool_(pool) { bottom_.reserve(kLargestBottom); }

  void push(SlotIndex slot) {
    ++size_;
    const std::int64_t time = time_of(slot);
    if (time >= top_start_) return push_top(slot, time);
    for (std::size_t r = 0; r < rungs_in_use_; ++r) {
      if (time >= rungs_[r].next_start()) return rungs_[r].push(slot, time, pool_);
    }
    push_late(slot);
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // The earliest event. The queue must not be empty.
  [[nodiscard]] SlotIndex front() {
    if (bottom_.empty() && late_.empty()) refill_bottom();
    return late_is_first() ? late_.front().slot : bottom_.back().slot;
  }

  // The event `ahead` places behind the first, as far as is sorted already, or kNoSlot: a hint what
  // memory will be needed, not a promise, for an earlier event may still come.
  [[nodiscard]] SlotIndex upcoming(std::size_t ahead) const {
    return ahead < bottom_.size() ? bottom_[bottom_.size() - 1 - ahead].slot : kNoSlot;
  }

  // Removes what front() gave.
  void pop_front() {
    --size_;
    if (!late_is_first()) return bottom_.pop_back();
    std::pop_heap(late_.begin(), late_.end(), later_first());
    late_.pop_back();
  }

 private:
  // More events than this in a due bucket are divided on a finer rung instead of sorted.
  static constexpr std::size_t kLargestBottom = 48;
  static constexpr std::size_t kMostRungs = 8;
  // Enough that a handler can look ahead (upcoming), few enough to sort in no time.
  static constexpr std::uint64_t kPerBucket = 4;

  // What sorting looks at: 16 bytes, four to a cache line. Ties look into the pool.
  struct Key {
    std::int64_t time;
    std::uint32_t receiver;
    SlotIndex slot;
  };

  // An event in top: its time is at hand, so the event itself need not be touched until it is due.
  struct Waiting {
    std::int64_t time;
    SlotIndex slot;
  };

  // Buckets of 2^shift picoseconds from `start`; those before `next` have been emptied.
  class Rung {
   public:
    void begin(std::int64_t start, int shift, std::size_t buckets) {
      start_ = start;
      shift_ = shift;
      next_ = 0;
      count_ = 0;
      buckets_ = buckets;
      if (heads_.size() < buckets) heads_.resize(buckets, kNoSlot);
    }

    void push(SlotIndex slot, std::int64_t time, Pool& pool) {
      const auto bucket = static_cast<std::size_t>((time - start_) >> shift_);
      pool[slot].next = heads_[bucket];
      heads_[bucket] = slot;
      ++count_;
    }

    // Moves past the next bucket with events and gives its list. The caller tells with taken() how
    // many events that were.
    SlotIndex take_next(const Pool& pool) {
      while (heads_[next_] == kNoSlot) ++next_;
      const SlotIndex head = heads_[next_];
      heads_[next_] = kNoSlot;
      ++next_;
      // The event after this bucket is wanted soon, and is far away in memory.
      if (next_ < buckets_ && heads_[next_] != kNoSlot) __builtin_prefetch(&pool[heads_[next_]]);
      return head;
    }
    void taken(std::size_t events) { count_ -= events; }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    // Events earlier than this no longer belong on the rung.
    [[nodiscard]] std::int64_t next_start() const {
      return start_ + (static_cast<std::int64_t>(next_) << shift_);
    }
    [[nodiscard]] std::int64_t end() const {
      return start_ + (static_cast<std::int64_t>(buckets_) << shift_);
    }
    [[nodiscard]] int shift() const { return shift_; }

   private:
    std::int64_t start_ = 0;
    int shift_ = 0;
    std::size_t next_ = 0;
    std::size_t count_ = 0;
    std::size_t buckets_ = 0;
    LargeVector<SlotIndex> heads_;
  };

  [[nodiscard]] std::int64_t time_of(SlotIndex slot) const {
    return pool_[slot].event.at.time_since_epoch().count();
  }

  [[nodiscard]] bool later(const Key& a, const Key& b) const {
    if (a.time != b.time) return a.time > b.time;
    if (a.receiver != b.receiver) return a.receiver > b.receiver;
    return before(pool_[b.slot].event, pool_[a.slot].event);
  }

  [[nodiscard]] Key key_of(SlotIndex slot) const {
    return {time_of(slot), index(pool_[slot].event.receiver), slot};
  }

  void push_top(SlotIndex slot, std::int64_t time) {
    top_.push_back({time, slot});
    top_min_ = std::min(top_min_, time);
    top_max_ = std::max(top_max_, time);
  }

  void push_late(SlotIndex slot) {
    late_.push_back(key_of(slot));
    std::push_heap(late_.begin(), late_.end(), later_first());
  }

  [[nodiscard]] bool late_is_first() const {
    return !late_.empty() && (bottom_.empty() || later(bottom_.back(), late_.front()));
  }

  [[nodiscard]] auto later_first() const {
    return [this](const Key& a, const Key& b) { return later(a, b); };
  }

  // A rung over [first, last] with about kPerBucket events per bucket.
  Rung& new_rung(std::int64_t first, std::int64_t last, std::size_t events) {
    const auto span = static_cast<std::uint64_t>(last - first);
    const std::uint64_t width = std::max<std::uint64_t>(1, span / (events / kPerBucket + 1));
    const int shift = std::bit_width(width) - 1;
    Rung& rung = rungs_[rungs_in_use_++];
    rung.begin(first, shift, static_cast<std::size_t>(span >> shift) + 1);
    return rung;
  }

  void refill_bottom() {
    for (;;) {
      while (rungs_in_use_ > 0 && rungs_[rungs_in_use_ - 1].empty()) --rungs_in_use_;
      if (rungs_in_use_ == 0) start_ladder();
      Rung& rung = rungs_[rungs_in_use_ - 1];
      move_to_bottom(rung.take_next(pool_));
      rung.taken(bottom_.size());
      if (bottom_.size() <= kLargestBottom || rung.shift() == 0 || rungs_in_use_ == kMostRungs) {
        return sort_bottom();
      }
      divide_bottom(rung);
    }
  }

  // There is no rung: everything in top goes onto the first one.
  void start_ladder() {
    EBB_CHECK(!top_.empty(), "an empty queue has no first event");
    Rung& rung = new_rung(top_min_, top_max_, top_.size());
    for (const Waiting& event : top_) rung.push(event.slot, event.time, pool_);
    top_.clear();
    top_min_ = std::numeric_limits<std::int64_t>::max();
    top_max_ = std::numeric_limits<std::int64_t>::min();
    top_start_ = rung.end();
  }

  // Too many for one sort: the bucket just emptied is cut finer. Ends where the bucket ended.
  void divide_bottom(const Rung& from) {
    const std::int64_t end = from.next_start();
    Rung& rung = new_rung(end - (std::int64_t{1} << from.shift()), end - 1, bottom_.size());
    for (const Key& key : bottom_) rung.push(key.slot, key.time, pool_);
    bottom_.clear();
  }

  void move_to_bottom(SlotIndex head) {
    for (; head != kNoSlot; head = pool_[head].next) bottom_.push_back(key_of(head));
  }

  void sort_bottom() { std::sort(bottom_.begin(), bottom_.end(), later_first()); }

  Pool& pool_;
  std::size_t size_ = 0;
  std::vector<Waiting> top_;
  std::int64_t top_min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t top_max_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t top_start_ = std::numeric_limits<std::int64_t>::min();
  std::array<Rung, kMostRungs> rungs_;
  std::size_t rungs_in_use_ = 0;
  std::vector<Key> bottom_;  // the earliest at the back
  std::vector<Key> late_;    // a heap, the earliest in front
};

}  // namespace ebb::des
