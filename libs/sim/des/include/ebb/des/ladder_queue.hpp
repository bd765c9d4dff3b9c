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
// pop cost a constant number of steps whatever the number of pending events. Events are moved, not
// pointed at: what lies together in time lies together in memory. The order of what comes out is
// that of event.hpp alone: how buckets are cut never shows.
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

// The events of a bucket, unsorted, in chunks of four cache lines that are reused.
template <class Payload>
class BucketPool {
 public:
  using Bucket = std::uint32_t;  // its first chunk
  static constexpr Bucket kEmpty = std::numeric_limits<Bucket>::max();

  void push(Bucket& bucket, const Event<Payload>& event) {
    if (bucket == kEmpty || chunks_[bucket].count == kPerChunk) add_chunk(bucket);
    Chunk& chunk = chunks_[bucket];
    chunk.events[chunk.count++] = event;
  }

  // Empties the bucket into the end of `events`.
  void take(Bucket& bucket, std::vector<Event<Payload>>& events) {
    while (bucket != kEmpty) {
      Chunk& chunk = chunks_[bucket];
      events.insert(events.end(), chunk.events.begin(), chunk.events.begin() + chunk.count);
      const Bucket next = chunk.next;
      chunk.next = free_;
      free_ = bucket;
      bucket = next;
    }
  }

  template <class Visit>
  void look(Bucket bucket, Visit visit) const {
    for (; bucket != kEmpty; bucket = chunks_[bucket].next) {
      const Chunk& chunk = chunks_[bucket];
      for (std::uint32_t i = 0; i < chunk.count; ++i) visit(chunk.events[i]);
    }
  }
  void fetch(Bucket bucket) const {
    if (bucket == kEmpty) return;
    prefetch(&chunks_[bucket]);
    prefetch(&chunks_[bucket].next);
  }

  [[nodiscard]] std::size_t memory_bytes() const { return chunks_.capacity() * sizeof(Chunk); }

 private:
  static constexpr std::size_t kChunkBytes = 256;
  static constexpr std::uint32_t kPerChunk =
      (kChunkBytes - 2 * sizeof(std::uint32_t)) / sizeof(Event<Payload>);
  struct alignas(kChunkBytes) Chunk {
    std::array<Event<Payload>, kPerChunk> events;
    std::uint32_t count = 0;
    Bucket next = kEmpty;  // in the bucket, or in the free list
  };
  static_assert(sizeof(Chunk) == kChunkBytes);

  void add_chunk(Bucket& bucket) {
    Bucket added = free_;
    if (added == kEmpty) {
      added = static_cast<Bucket>(chunks_.size());
      chunks_.emplace_back();
    } else {
      free_ = chunks_[added].next;
    }
    chunks_[added].count = 0;
    chunks_[added].next = bucket;
    bucket = added;
  }

  LargeVector<Chunk> chunks_;
  Bucket free_ = kEmpty;
};

template <class Payload, class Order = PayloadOrder<Payload>>
class LadderQueue {
 public:
  explicit LadderQueue(Order order = {}) : order_(order) {}

  void push(const Event<Payload>& event) {
    ++size_;
    const std::int64_t time = time_of(event);
    if (time >= top_start_) return push_top(event, time);
    for (std::size_t r = 0; r < rungs_in_use_; ++r) {
      if (time >= rungs_[r].next_start()) return rungs_[r].push(event, time, buckets_);
    }
    late_.push_back(event);
    std::push_heap(late_.begin(), late_.end(), later_first());
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

  // The earliest event. The queue must not be empty.
  [[nodiscard]] const Event<Payload>& front() {
    if (bottom_.empty() && late_.empty()) refill_bottom();
    return late_is_first() ? late_.front() : bottom_.back();
  }

  // Takes the earliest event if there is one before `end`.
  bool pop_before(TimePoint end, Event<Payload>& event) {
    if (bottom_.empty() && late_.empty()) {
      if (size_ == 0) return false;
      refill_bottom();
    }
    const bool late = !late_.empty() && late_is_first();
    event = late ? late_.front() : bottom_.back();
    if (event.at >= end) return false;
    --size_;
    if (late) {
      std::pop_heap(late_.begin(), late_.end(), later_first());
      late_.pop_back();
    } else {
      bottom_.pop_back();
    }
    return true;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes =
        buckets_.memory_bytes() +
        (top_.capacity() + bottom_.capacity() + late_.capacity()) * sizeof(Event<Payload>);
    for (const Rung& rung : rungs_) bytes += rung.memory_bytes();
    return bytes;
  }

 private:
  using Buckets = BucketPool<Payload>;

  // More events than this in a due bucket are divided on a finer rung instead of sorted.
  static constexpr std::size_t kLargestBottom = 48;
  static constexpr std::size_t kMostRungs = 8;
  // Enough that a model can fetch ahead, few enough to sort in no time.
  static constexpr std::uint64_t kPerBucket = 8;

  // Buckets of 2^shift picoseconds from `start`; those before `next` have been emptied.
  class Rung {
   public:
    void begin(std::int64_t start, int shift, std::size_t buckets) {
      start_ = start;
      shift_ = shift;
      next_ = 0;
      next_start_ = start;
      count_ = 0;
      buckets_ = buckets;
      if (heads_.size() < buckets) heads_.resize(buckets, Buckets::kEmpty);
    }

    void push(const Event<Payload>& event, std::int64_t time, Buckets& buckets) {
      buckets.push(heads_[static_cast<std::size_t>((time - start_) >> shift_)], event);
      ++count_;
    }

    // Moves past the next bucket with events and puts them into `events`, which is empty. The
    // two buckets behind it are announced to the model, and the one behind those fetched for it.
    void take_next(Buckets& buckets, std::vector<Event<Payload>>& events, const Order& order) {
      while (heads_[next_] == Buckets::kEmpty) ++next_;
      buckets.take(heads_[next_], events);
      count_ -= events.size();
      ++next_;
      next_start_ = start_ + (static_cast<std::int64_t>(next_) << shift_);
      if (next_ < buckets_) {
        buckets.look(heads_[next_], [&](const Event<Payload>& one) { order.fetch(one); });
      }
      if (next_ + 1 < buckets_) {
        buckets.look(heads_[next_ + 1], [&](const Event<Payload>& one) { order.fetch_early(one); });
      }
      if (next_ + 2 < buckets_) buckets.fetch(heads_[next_ + 2]);
    }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    // Events earlier than this no longer belong on the rung.
    [[nodiscard]] std::int64_t next_start() const { return next_start_; }
    [[nodiscard]] std::int64_t end() const {
      return start_ + (static_cast<std::int64_t>(buckets_) << shift_);
    }
    [[nodiscard]] int shift() const { return shift_; }
    [[nodiscard]] std::size_t memory_bytes() const {
      return heads_.capacity() * sizeof(typename Buckets::Bucket);
    }

   private:
    std::int64_t start_ = 0;
    std::int64_t next_start_ = 0;
    int shift_ = 0;
    std::size_t next_ = 0;
    std::size_t count_ = 0;
    std::size_t buckets_ = 0;
    LargeVector<typename Buckets::Bucket> heads_;
  };

  [[nodiscard]] static std::int64_t time_of(const Event<Payload>& event) {
    return event.at.time_since_epoch().count();
  }

  [[nodiscard]] bool later(const Event<Payload>& a, const Event<Payload>& b) const {
    if (a.at != b.at) return a.at > b.at;
    if (a.receiver != b.receiver) return a.receiver > b.receiver;
    return order_.before(b, a);
  }

  void push_top(const Event<Payload>& event, std::int64_t time) {
    top_.push_back(event);
    top_min_ = std::min(top_min_, time);
    top_max_ = std::max(top_max_, time);
  }

  [[nodiscard]] bool late_is_first() const {
    return !late_.empty() && (bottom_.empty() || later(bottom_.back(), late_.front()));
  }

  [[nodiscard]] auto later_first() const {
    return [this](const Event<Payload>& a, const Event<Payload>& b) { return later(a, b); };
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
      rung.take_next(buckets_, bottom_, order_);
      if (bottom_.size() <= kLargestBottom || rung.shift() == 0 || rungs_in_use_ == kMostRungs) {
        return std::sort(bottom_.begin(), bottom_.end(), later_first());
      }
      divide_bottom(rung);
    }
  }

  // There is no rung: everything in top goes onto the first one.
  void start_ladder() {
    EBB_CHECK(!top_.empty(), "an empty queue has no first event");
    Rung& rung = new_rung(top_min_, top_max_, top_.size());
    for (const Event<Payload>& event : top_) rung.push(event, time_of(event), buckets_);
    top_.clear();
    top_min_ = std::numeric_limits<std::int64_t>::max();
    top_max_ = std::numeric_limits<std::int64_t>::min();
    top_start_ = rung.end();
  }

  // Too many for one sort: the bucket just emptied is cut finer. Ends where the bucket ended.
  void divide_bottom(const Rung& from) {
    const std::int64_t end = from.next_start();
    Rung& rung = new_rung(end - (std::int64_t{1} << from.shift()), end - 1, bottom_.size());
    for (const Event<Payload>& event : bottom_) rung.push(event, time_of(event), buckets_);
    bottom_.clear();
  }

  Order order_;
  std::size_t size_ = 0;
  LargeVector<Event<Payload>> top_;
  std::int64_t top_min_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t top_max_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t top_start_ = std::numeric_limits<std::int64_t>::min();
  std::array<Rung, kMostRungs> rungs_;
  std::size_t rungs_in_use_ = 0;
  Buckets buckets_;
  std::vector<Event<Payload>> bottom_;  // the earliest at the back
  std::vector<Event<Payload>> late_;    // a heap, the earliest in front
};

}  // namespace ebb::des
