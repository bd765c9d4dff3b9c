// SPDX-License-Identifier: Apache-2.0
//
// The array heap that the ladder queue was measured against: four children per node, 16-byte keys,
// the children of a node in one cache line, and a descent without unpredictable branches.
#pragma once

#include "ebb/des/event.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace ebb::bench {

template <class Payload>
class QuadHeap {
 public:
  using Pool = des::EventPool<Payload>;

  explicit QuadHeap(Pool& pool) : pool_(pool) { grow(64); }

  void push(des::SlotIndex slot) {
    if (size_ + kOffset + 4 > capacity_) grow(2 * capacity_);
    std::size_t at = size_++;
    const Key key = key_of(slot);
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!earlier(key, node(parent))) break;
      node(at) = node(parent);
      at = parent;
    }
    node(at) = key;
    node(size_) = node(size_ + 1) = node(size_ + 2) = kLast;  // pads the last group of children
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] des::SlotIndex front() { return node(0).slot; }

  void pop_front() {
    const Key last = node(--size_);
    node(size_) = kLast;
    std::size_t at = 0;
    for (;;) {
      const std::size_t first = 4 * at + 1;
      if (first >= size_) break;
      const std::size_t left = first + (earlier(node(first + 1), node(first)) ? 1 : 0);
      const std::size_t right = first + 2 + (earlier(node(first + 3), node(first + 2)) ? 1 : 0);
      const std::size_t best = earlier(node(right), node(left)) ? right : left;
      if (!earlier(node(best), last)) break;
      node(at) = node(best);
      at = best;
    }
    if (size_ > 0) node(at) = last;
  }

 private:
  struct Key {
    std::int64_t time;
    std::uint32_t receiver;
    des::SlotIndex slot;
  };
  static constexpr Key kLast{INT64_MAX, UINT32_MAX, des::kNoSlot};
  static constexpr std::size_t kOffset = 3;  // so that children 4i+1 .. 4i+4 share a cache line

  struct Free {
    void operator()(Key* keys) const { std::free(keys); }
  };

  [[nodiscard]] Key& node(std::size_t i) { return keys_.get()[i + kOffset]; }

  [[nodiscard]] Key key_of(des::SlotIndex slot) const {
    const auto& event = pool_[slot].event;
    return {event.at.time_since_epoch().count(), des::index(event.receiver), slot};
  }

  [[nodiscard]] bool earlier(const Key& a, const Key& b) const {
    if (a.time != b.time) return a.time < b.time;
    if (a.receiver != b.receiver) return a.receiver < b.receiver;
    if (a.slot == des::kNoSlot || b.slot == des::kNoSlot)
      return b.slot == des::kNoSlot && a.slot != b.slot;
    return before(pool_[a.slot].event, pool_[b.slot].event);
  }

  void grow(std::size_t capacity) {
    auto* keys = static_cast<Key*>(std::aligned_alloc(64, capacity * sizeof(Key)));
    if (keys == nullptr) throw std::bad_alloc();
    std::fill(keys, keys + capacity, kLast);
    if (keys_) std::copy(keys_.get(), keys_.get() + capacity_, keys);
    keys_.reset(keys);
    capacity_ = capacity;
  }

  Pool& pool_;
  std::unique_ptr<Key, Free> keys_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace ebb::bench
