// SPDX-License-Identifier: Apache-2.0
//
// A vector for millions of entries that are visited in no order. Where it is large it asks the
// system for large pages: with small ones the processor spends more time on looking up where a page
// is than on the entry (docs/design/0004-speed.md has the figures).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace ebb {

// A hint that memory will be wanted soon.
inline void prefetch(const void* address) {
  __builtin_prefetch(address);
  // g++ takes a function that does nothing but prefetch for one without effect, and drops its
  // calls.
  asm volatile("");
}

template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class U>
  LargePages(const LargePages<U>& /*other*/) {}  // NOLINT(google-explicit-constructor): as others

  [[nodiscard]] T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
#ifdef __linux__
    if (bytes >= kLarge) (void)madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: it may be refused
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }

  bool operator==(const LargePages&) const = default;

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21U;
  static constexpr std::size_t kLarge = 4 * kPage;

  static std::align_val_t alignment(std::size_t bytes) {
    constexpr std::size_t kCacheLine = 64;
    constexpr std::size_t kLeast = alignof(T) > kCacheLine ? alignof(T) : kCacheLine;
    return std::align_val_t{bytes >= kLarge ? kPage : kLeast};
  }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

// The same for entries that are found by an id of their own kind (an enumeration), so that a
// channel is not taken for a node.
template <class Id, class T>
class ById {
 public:
  [[nodiscard]] T& operator[](Id id) { return entries_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const T& operator[](Id id) const { return entries_[static_cast<std::size_t>(id)]; }

  void resize(std::size_t count) { entries_.resize(count); }
  void assign(std::size_t count, const T& entry) { entries_.assign(count, entry); }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  [[nodiscard]] std::size_t memory_bytes() const { return entries_.capacity() * sizeof(T); }

 private:
  LargeVector<T> entries_;
};

}  // namespace ebb
