// SPDX-License-Identifier: Apache-2.0
#include "ebb/sweep/workers.hpp"

#include "ebb/core/check.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace ebb::sweep {
namespace {

constexpr std::chrono::milliseconds kBetweenTicks(100);

}  // namespace

namespace {

// Begins what can be begun now: every run is asked about once at most. Gives how many began.
std::size_t begin_some(std::deque<std::size_t>& waiting, Workers& workers, const Ask& ask) {
  std::size_t begun = 0;
  for (std::size_t left = waiting.size(); left > 0 && workers.idle() > 0; --left) {
    const std::size_t which = waiting.front();
    waiting.pop_front();
    const Turn turn = ask ? ask(which) : Turn::begin;
    if (turn == Turn::later) waiting.push_back(which);
    if (turn != Turn::begin) continue;
    workers.begin(which);
    ++begun;
  }
  return begun;
}

}  // namespace

void dispatch(std::span<const std::size_t> runs, Workers& workers, const Take& take,
              const Tick& tick, const Ask& ask) {
  std::deque<std::size_t> waiting(runs.begin(), runs.end());
  std::size_t running = 0;
  bool go_on = true;
  while ((go_on && !waiting.empty()) || running > 0) {
    if (go_on) running += begin_some(waiting, workers, ask);
    if (running == 0 && waiting.empty()) return;
    if (const auto finished = workers.finished(kBetweenTicks)) {
      --running;
      if (!take(*finished)) go_on = false;
    }
    if (!tick(running)) go_on = false;
  }
}

namespace {

class ThreadWorkers final : public Workers {
 public:
  ThreadWorkers(std::size_t threads, Perform perform)
      : perform_(std::move(perform)), idle_(threads) {
    for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~ThreadWorkers() override {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] std::size_t idle() const override { return idle_; }

  void begin(std::size_t which) override {
    --idle_;
    {
      const std::lock_guard lock(mutex_);
      to_do_.push_back(which);
    }
    wake_.notify_one();
  }

  [[nodiscard]] std::optional<Finished> finished(std::chrono::milliseconds timeout) override {
    std::unique_lock lock(mutex_);
    if (!done_.wait_for(lock, timeout, [&] { return !finished_.empty(); })) return std::nullopt;
    Finished first = std::move(finished_.front());
    finished_.pop_front();
    ++idle_;
    return first;
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return ending_ || !to_do_.empty(); });
      if (ending_) return;
      const std::size_t which = to_do_.front();
      to_do_.pop_front();
      lock.unlock();
      Finished finished = perform_(which);
      lock.lock();
      finished_.push_back(std::move(finished));
      lock.unlock();
      done_.notify_one();
    }
  }

  const Perform perform_;
  std::size_t idle_;  // of the caller's thread alone
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  std::deque<std::size_t> to_do_;
  std::deque<Finished> finished_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<Workers> thread_workers(std::size_t threads, Perform perform) {
  return std::make_unique<ThreadWorkers>(threads, std::move(perform));
}

namespace {

constexpr std::chrono::milliseconds kBetweenLooks(1);

class AllWorkers final : public Workers {
 public:
  explicit AllWorkers(std::vector<std::unique_ptr<Workers>> groups) : groups_(std::move(groups)) {}

  [[nodiscard]] std::size_t idle() const override {
    std::size_t sum = 0;
    for (const auto& group : groups_) sum += group->idle();
    return sum;
  }

  void begin(std::size_t which) override {
    for (const auto& group : groups_) {
      if (group->idle() > 0) return group->begin(which);
    }
    EBB_CHECK(false, "a run begun while nobody is idle");
  }

  [[nodiscard]] std::optional<Finished> finished(std::chrono::milliseconds timeout) override {
    const auto end = std::chrono::steady_clock::now() + timeout;
    for (;;) {
      for (const auto& group : groups_) {
        if (auto one = group->finished(std::chrono::milliseconds(0))) return one;
      }
      if (std::chrono::steady_clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }

 private:
  std::vector<std::unique_ptr<Workers>> groups_;
};

}  // namespace

std::unique_ptr<Workers> all_of(std::vector<std::unique_ptr<Workers>> groups) {
  return std::make_unique<AllWorkers>(std::move(groups));
}

}  // namespace ebb::sweep
