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
  using Key = des::Event<Payload>;

 public:
  QuadHeap() { grow(64); }

  void push(const Key& key) {
    if (size_ + kOffset + 4 > capacity_) grow(2 * capacity_);
    std::size_t at = size_++;
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
  bool pop_before(TimePoint end, Key& event) {
    if (size_ == 0 || node(0).at >= end) return false;
    event = node(0);
    pop_front();
    return true;
  }

 private:
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

  static constexpr Key kLast{TimePoint::max(), des::EntityId{UINT32_MAX}, {}};
  static constexpr std::size_t kOffset = 3;  // so that children 4i+1 .. 4i+4 share a cache line

  struct Free {
    void operator()(Key* keys) const { std::free(keys); }
  };

  [[nodiscard]] Key& node(std::size_t i) { return keys_.get()[i + kOffset]; }

  [[nodiscard]] static bool earlier(const Key& a, const Key& b) {
    if (a.at != b.at) return a.at < b.at;
    if (a.receiver != b.receiver) return a.receiver < b.receiver;
    return a.payload < b.payload;
  }

  void grow(std::size_t capacity) {
    auto* keys = static_cast<Key*>(std::aligned_alloc(64, capacity * sizeof(Key)));
    if (keys == nullptr) throw std::bad_alloc();
    std::fill(keys, keys + capacity, kLast);
    if (keys_) std::copy(keys_.get(), keys_.get() + capacity_, keys);
    keys_.reset(keys);
    capacity_ = capacity;
  }

  std::unique_ptr<Key, Free> keys_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

}  // namespace ebb::bench
