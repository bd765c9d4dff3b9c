// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/loop.hpp"

#include "ebb/core/check.hpp"

#include <algorithm>
#include <array>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace ebb::transport {
namespace {

constexpr std::uint64_t kWakeUp = 0;  // no descriptor has this number
constexpr Milliseconds kLongest{60'000};

void epoll_change(int epoll, int operation, int descriptor, std::uint32_t events,
                  std::uint64_t number) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = number;
  EBB_CHECK(epoll_ctl(epoll, operation, descriptor, &event) == 0,
            "epoll_ctl on a descriptor of ours");
}

}  // namespace

Loop::Loop()
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), wake_up_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  EBB_CHECK(epoll_ >= 0 && wake_up_ >= 0, "descriptors for a loop");
  epoll_change(epoll_, EPOLL_CTL_ADD, wake_up_, EPOLLIN, kWakeUp);
}

Loop::~Loop() {
  close(wake_up_);
  close(epoll_);
}

void Loop::watch(int descriptor, std::uint32_t events, Ready ready) {
  const std::uint64_t number = next_number_++;
  epoll_change(epoll_, EPOLL_CTL_ADD, descriptor, events, number);
  watched_.emplace(descriptor, Watched{number, std::make_shared<Ready>(std::move(ready))});
  descriptors_.emplace(number, descriptor);
}

void Loop::change(int descriptor, std::uint32_t events) {
  epoll_change(epoll_, EPOLL_CTL_MOD, descriptor, events, watched_.at(descriptor).number);
}

void Loop::forget(int descriptor) {
  const auto found = watched_.find(descriptor);
  EBB_CHECK(found != watched_.end(), "only what is watched can be forgotten");
  epoll_change(epoll_, EPOLL_CTL_DEL, descriptor, 0, 0);
  descriptors_.erase(found->second.number);
  watched_.erase(found);
}

Loop::Timer Loop::after(Milliseconds delay, Task task) {
  const Timer timer{Clock::now() + delay, next_number_++};
  timers_.emplace(timer, std::move(task));
  return timer;
}

void Loop::cancel(Timer timer) { timers_.erase(timer); }

void Loop::post(Task task) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(task));
  }
  const std::uint64_t one = 1;
  // Fails only when the counter is full: then the loop is awake anyway.
  [[maybe_unused]] const auto written = write(wake_up_, &one, sizeof one);
}

void Loop::stop() {
  post([this] { stopped_ = true; });
}

void Loop::run() {
  stopped_ = false;
  while (!stopped_) run_once(kLongest);
}

bool Loop::run_until(const std::function<bool()>& condition, Milliseconds limit) {
  const auto end = Clock::now() + limit;
  while (!condition()) {
    const auto left = std::chrono::ceil<Milliseconds>(end - Clock::now());
    if (left <= Milliseconds{0}) return false;
    run_once(left);
  }
  return true;
}

void Loop::run_once(Milliseconds limit) {
  constexpr int kMostAtOnce = 64;
  std::array<epoll_event, kMostAtOnce> events{};
  const int count = epoll_wait(epoll_, events.data(), kMostAtOnce, wait_time(limit));
  for (int i = 0; i < count; ++i) {
    dispatch(events.at(static_cast<std::size_t>(i)).data.u64,
             events.at(static_cast<std::size_t>(i)).events);
  }
  run_due_timers();
}

// Rounded up: a loop that wakes a little early would spin until the timer is due.
int Loop::wait_time(Milliseconds limit) const {
  auto wait = limit;
  if (!timers_.empty()) {
    wait = std::min(wait,
                    std::chrono::ceil<Milliseconds>(timers_.begin()->first.first - Clock::now()));
  }
  return static_cast<int>(std::max(wait, Milliseconds{0}).count());
}

void Loop::run_due_timers() {
  const auto now = Clock::now();
  while (!timers_.empty() && timers_.begin()->first.first <= now) {
    const Task task = std::move(timers_.begin()->second);
    timers_.erase(timers_.begin());
    task();
  }
}

void Loop::run_posted() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = read(wake_up_, &count, sizeof count);
  std::vector<Task> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(posted_);
  }
  for (const Task& task : tasks) task();
}

void Loop::dispatch(std::uint64_t number, std::uint32_t events) {
  if (number == kWakeUp) return run_posted();
  const auto found = descriptors_.find(number);
  if (found == descriptors_.end()) return;              // forgotten by another call of this round
  const auto ready = watched_.at(found->second).ready;  // kept: it may forget itself
  (*ready)(events);
}

Liveness::Liveness(Loop& loop, KeepaliveTiming timing, Loop::Task ask, Loop::Task dead)
    : loop_(loop),
      timing_(timing),
      ask_(std::move(ask)),
      dead_(std::move(dead)),
      heard_(Clock::now()) {}

void Liveness::start() {
  stop();
  heard();
  wait_for_silence();
}

void Liveness::stop() {
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
}

void Liveness::wait_for_silence() {
  const auto due = std::chrono::ceil<Milliseconds>(heard_ + timing_.idle - Clock::now());
  timer_ = loop_.after(std::max(due, Milliseconds{0}), [this] {
    if (Clock::now() - heard_ < timing_.idle) return wait_for_silence();
    wait_for_answer();
  });
}

void Liveness::wait_for_answer() {
  timer_ = loop_.after(timing_.reply, [this, asked = Clock::now()] {
    timer_.reset();
    if (heard_ >= asked) return wait_for_silence();
    const auto dead = dead_;  // a copy: its owner may go with us
    dead();
  });
  ask_();
}

}  // namespace ebb::transport
