// SPDX-License-Identifier: Apache-2.0
//
// One thread that waits for descriptors, timers and wake-ups (epoll), and calls back. Everything
// that it calls may add and remove what it likes; what was removed is not called any more, even if
// it was already ready. All members but `post` and `stop` belong to that thread.
//
//   Loop loop;
//   loop.after(100ms, [&] { loop.stop(); });
//   loop.run();
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace ebb::transport {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

class Loop {
 public:
  using Task = std::function<void()>;
  using Ready = std::function<void(std::uint32_t events)>;  // of epoll
  // (due, number): tasks that are due at the same time run in the order in which they were asked
  // for.
  using Timer = std::pair<Clock::time_point, std::uint64_t>;

  Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop();

  // The descriptor stays its owner's, who forgets it before closing it.
  void watch(int descriptor, std::uint32_t events, Ready ready);
  void change(int descriptor, std::uint32_t events);
  void forget(int descriptor);

  Timer after(Milliseconds delay, Task task);
  void cancel(Timer timer);

  // From any thread: runs the task in the loop's.
  void post(Task task);

  void run();
  // From any thread: `run` returns after what it is doing.
  void stop();
  // Runs until the condition holds, or the time is over; says whether it holds.
  bool run_until(const std::function<bool()>& condition, Milliseconds limit);

 private:
  struct Watched {
    std::uint64_t number;  // a descriptor's number is used again, this one is not
    std::shared_ptr<Ready> ready;
  };

  void run_once(Milliseconds limit);
  [[nodiscard]] int wait_time(Milliseconds limit) const;
  void run_due_timers();
  void run_posted();
  void dispatch(std::uint64_t number, std::uint32_t events);

  int epoll_;
  int wake_up_;
  bool stopped_ = false;
  std::uint64_t next_number_ = 1;
  std::unordered_map<int, Watched> watched_;
  std::unordered_map<std::uint64_t, int> descriptors_;
  std::map<Timer, Task> timers_;
  std::mutex mutex_;  // of posted_ alone
  std::vector<Task> posted_;
};

// Detects a peer that is silent: after `idle` an echo is asked for, and `reply` later the peer is
// declared dead. The timer is set again when it fires, not with each message that comes.
struct KeepaliveTiming {
  Milliseconds idle{2000};
  Milliseconds reply{3000};
};

class Liveness {
 public:
  Liveness(Loop& loop, KeepaliveTiming timing, Loop::Task ask, Loop::Task dead);
  Liveness(const Liveness&) = delete;
  Liveness& operator=(const Liveness&) = delete;
  ~Liveness() { stop(); }

  void start();
  void stop();
  // Whatever the peer said.
  void heard() { heard_ = Clock::now(); }

 private:
  void wait_for_silence();
  void wait_for_answer();

  Loop& loop_;
  KeepaliveTiming timing_;
  Loop::Task ask_;
  Loop::Task dead_;
  Clock::time_point heard_;
  std::optional<Loop::Timer> timer_;
};

}  // namespace ebb::transport
