// SPDX-License-Identifier: Apache-2.0
//
// Where threads wait for each other, some thousand times a second: std::barrier puts them to sleep
// after less than a microsecond, and waking them takes longer than most windows last.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace ebb::des {

class Meeting {
 public:
  // With a core for each thread those that wait stay awake for a while.
  explicit Meeting(std::uint32_t threads)
      : threads_(threads), patience_(threads <= std::thread::hardware_concurrency() ? kTurns : 0) {}

  // Returns when all threads have called it. The last one calls `finish` first.
  template <class Finish>
  void wait(Finish finish) {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      finish();
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    for (std::uint32_t turn = 0; turn < patience_; ++turn) {
      if (round_.load(std::memory_order_acquire) != round) return;
      relax();
    }
    round_.wait(round, std::memory_order_acquire);
  }

 private:
  // Tells the processor that this thread only waits.
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  static constexpr std::uint32_t kTurns = 20'000;  // some hundred microseconds

  const std::uint32_t threads_;
  const std::uint32_t patience_;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace ebb::des
