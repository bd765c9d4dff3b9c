// SPDX-License-Identifier: Apache-2.0
#include "ebb/transport/liveness.hpp"

#include <algorithm>

namespace ebb::transport {

Liveness::Liveness(Loop& loop, Patience patience, Loop::Task ask, Loop::Task dead)
    : loop_(loop),
      patience_(patience),
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
  const auto due = std::chrono::ceil<Milliseconds>(heard_ + patience_.quiet - Clock::now());
  timer_ = loop_.after(std::max(due, Milliseconds{0}), [this] {
    if (Clock::now() - heard_ < patience_.quiet) return wait_for_silence();
    wait_for_answer();
  });
}

void Liveness::wait_for_answer() {
  timer_ = loop_.after(patience_.answer, [this, asked = Clock::now()] {
    timer_.reset();
    if (heard_ >= asked) return wait_for_silence();
    const auto dead = dead_;  // a copy: its owner may go with us
    dead();
  });
  ask_();
}

}  // namespace ebb::transport
