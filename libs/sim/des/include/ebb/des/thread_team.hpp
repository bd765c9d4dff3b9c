// SPDX-License-Identifier: Apache-2.0
//
// Threads that live as long as the run they work for, and a barrier at which they meet.
//
//   ThreadTeam team(4);
//   team.run([&](std::uint32_t member) { work(member); });   // returns when all four are done
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace ebb::des {

// Waiting for something that mostly takes less than a window of a simulation, some thousand times a
// second: std::barrier puts threads to sleep after less than a microsecond, and waking them takes
// longer than most windows last.
class SpinWait {
 public:
  // With a core for each thread those that wait spin for a while before they sleep.
  explicit SpinWait(std::uint32_t threads)
      : limit_(threads <= std::thread::hardware_concurrency() ? kSpins : 0) {}

  // Until the value is no longer `old`; whoever changes it notifies.
  void until_changed(const std::atomic<std::uint32_t>& value, std::uint32_t old) const {
    for (std::uint32_t spin = 0; spin < limit_; ++spin) {
      if (value.load(std::memory_order_acquire) != old) return;
      relax();
    }
    value.wait(old, std::memory_order_acquire);
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

  std::uint32_t limit_;
};

class SpinBarrier {
 public:
  explicit SpinBarrier(std::uint32_t threads) : threads_(threads), spin_(threads) {}

  // Returns when all threads have called it. The last one calls `finish` first.
  template <class Finish>
  void wait(Finish finish) {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < threads_)
      return spin_.until_changed(round_, round);
    finish();
    arrived_.store(0, std::memory_order_relaxed);
    round_.store(round + 1, std::memory_order_release);
    round_.notify_all();
  }
  void wait() {
    wait([] {});
  }

 private:
  const std::uint32_t threads_;
  const SpinWait spin_;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

class ThreadTeam {
 public:
  // The caller of run() is one of them.
  explicit ThreadTeam(std::uint32_t members) : members_(members), spin_(members), done_(members) {
    for (std::uint32_t m = 1; m < members; ++m) {
      threads_.emplace_back([this, m] { follow(m); });
    }
  }
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam() {
    call_ = nullptr;
    start();
  }

  [[nodiscard]] std::uint32_t members() const { return members_; }

  // task(member) on the thread of each, member 0 on the caller's.
  template <class Task>
  void run(Task&& task) {
    if (members_ == 1) return task(std::uint32_t{0});
    task_ = const_cast<void*>(static_cast<const void*>(&task));
    call_ = [](void* what, std::uint32_t member) {
      (*static_cast<std::remove_reference_t<Task>*>(what))(member);
    };
    start();
    call_(task_, 0);
    done_.wait();
  }

 private:
  void start() {
    started_.fetch_add(1, std::memory_order_release);
    started_.notify_all();
  }

  void follow(std::uint32_t member) {
    for (std::uint32_t seen = 0;; ++seen) {
      spin_.until_changed(started_, seen);
      if (call_ == nullptr) return;
      call_(task_, member);
      done_.wait();
    }
  }

  const std::uint32_t members_;
  const SpinWait spin_;
  SpinBarrier done_;
  void (*call_)(void* task, std::uint32_t member) = nullptr;  // null: the team ends
  void* task_ = nullptr;
  alignas(64) std::atomic<std::uint32_t> started_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace ebb::des
