// SPDX-License-Identifier: Apache-2.0
//
// Parts of one simulation, each on its own thread, in conservative windows: whatever one part does
// to another takes at least the lookahead, so all parts can run from the earliest pending event up
// to that plus the lookahead without hearing of each other; then they exchange batches. Parts order
// their events by event.hpp, so how the work is divided does not show in what they do. Some parts
// may live in other processes, which call run_until with the same ends.
//
//   ConservativeScheduler scheduler(parts, lookahead);
//   scheduler.run_until(end, work);
//
// `work` has, for part p of this process:
//   TimePoint next(p)        the time of its earliest event or of the earliest item it has enqueued
//   void receive(p, round)   takes in what was enqueued for p in `round`; p now uses the other one
//   void run(p, end)         handles its events before `end`
// and, called by one thread while no part runs:
//   TimePoint exchange(round, earliest)   exchanges the batches of `round` with other processes;
//                                         gives the earliest time of all parts of all processes
// Rounds alternate between 0 and 1, beginning with 0: the batches of one are read while those of
// the other are written. Between calls of run_until the caller may touch every part, and parts may
// enqueue.
#pragma once

#include "ebb/core/check.hpp"
#include "ebb/units/time.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace ebb::des {

// A barrier for threads that wait for each other some thousand times a second: std::barrier puts
// them to sleep after less than a microsecond, and waking them takes longer than most windows last.
class SpinBarrier {
 public:
  // With a core for each thread those that wait spin for a while before they sleep.
  explicit SpinBarrier(std::uint32_t threads)
      : threads_(threads),
        spin_limit_(threads <= std::thread::hardware_concurrency() ? kSpins : 0) {}

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
    for (std::uint32_t spin = 0; spin < spin_limit_; ++spin) {
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

  static constexpr std::uint32_t kSpins = 20'000;  // some hundred microseconds

  const std::uint32_t threads_;
  const std::uint32_t spin_limit_;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

class ConservativeScheduler {
 public:
  // Parts that exchange batches, here or elsewhere, need a positive lookahead.
  ConservativeScheduler(std::uint32_t parts, Duration lookahead)
      : lookahead_(lookahead), earliest_(parts) {
    EBB_CHECK(lookahead > Duration{}, "parts that do not look ahead cannot part");
  }

  // How many there have been.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  template <class Work>
  void run_until(TimePoint end, Work& work) {
    const auto parts = static_cast<std::uint32_t>(earliest_.size());
    for (std::uint32_t p = 0; p < parts; ++p) earliest_[p] = work.next(p);
    begin_round(end, work);
    SpinBarrier barrier(parts);
    const auto follow = [&](std::uint32_t p) {
      work.receive(p, round_ ^ 1U);
      while (!done_) {
        work.run(p, window_end_);
        earliest_[p] = work.next(p);
        barrier.wait([&] { begin_round(end, work); });
        work.receive(p, round_ ^ 1U);
      }
    };
    std::vector<std::jthread> threads;
    for (std::uint32_t p = 1; p < parts; ++p) threads.emplace_back(follow, p);
    follow(0);
  }

 private:
  template <class Work>
  void begin_round(TimePoint end, Work& work) {
    const TimePoint first =
        work.exchange(round_, *std::min_element(earliest_.begin(), earliest_.end()));
    done_ = first >= end;
    if (!done_) {
      window_end_ = end - first > lookahead_ ? first + lookahead_ : end;
      ++count_;
    }
    round_ ^= 1U;
  }

  const Duration lookahead_;
  std::vector<TimePoint> earliest_;
  TimePoint window_end_{};
  std::uint64_t count_ = 0;
  std::uint32_t round_ = 0;
  bool done_ = false;
};

}  // namespace ebb::des
