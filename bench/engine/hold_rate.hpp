// SPDX-License-Identifier: Apache-2.0
//
// The hold model: N events pending; each step takes the earliest and schedules one more, an
// exponential time ahead.
#pragma once

#include "ebb/core/random.hpp"
#include "ebb/des/ladder_queue.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace ebb::bench {

using Payload = std::uint32_t;

// Increments are drawn before the clock starts: the queue is measured, not the logarithm.
class Increments {
 public:
  Increments() {
    RandomStream stream(1, "bench/hold");
    for (auto& value : values_) value = 1 + static_cast<std::int64_t>(stream.exponential() * 1e6);
  }
  [[nodiscard]] std::int64_t next() { return values_[at_++ % values_.size()]; }

 private:
  std::vector<std::int64_t> values_ = std::vector<std::int64_t>(1 << 16);
  std::size_t at_ = 0;
};

struct HoldState {
  std::string name;
  std::function<void(std::int64_t)> push;  // only for filling
  std::function<void(std::size_t, Increments&)> hold;
};

template <class Queue>
HoldState holding(std::string name) {
  struct State {
    Queue queue;
    std::uint32_t number = 0;
    void push(std::int64_t time) {
      ++number;
      queue.push({TimePoint(Duration(time)), des::EntityId{number * 2654435761U >> 12U}, number});
    }
  };
  auto state = std::make_shared<State>();
  return {std::move(name), [state](std::int64_t time) { state->push(time); },
          [state](std::size_t steps, Increments& increments) {
            for (std::size_t i = 0; i < steps; ++i) {
              des::Event<Payload> event;
              if (!state->queue.pop_before(TimePoint::max(), event)) return;
              state->push(event.at.time_since_epoch().count() + increments.next());
            }
          }};
}

// The yardstick of the field: the standard queue with 16-byte events and no payload.
inline HoldState standard() {
  struct Item {
    std::int64_t time;
    std::uint64_t what;
    bool operator>(const Item& other) const { return time > other.time; }
  };
  auto queue = std::make_shared<std::priority_queue<Item, std::vector<Item>, std::greater<>>>();
  return {"std::priority_queue, 16 bytes",
          [queue](std::int64_t time) {
            queue->push({time, 0});
          },
          [queue](std::size_t steps, Increments& increments) {
            for (std::size_t i = 0; i < steps; ++i) {
              const Item item = queue->top();
              queue->pop();
              queue->push({item.time + increments.next(), item.what});
            }
          }};
}

// Processor time: what others do on the machine counts only through the caches they share with us.
inline double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Steps for about `seconds`; the slowest queues are a hundred times slower than the fastest.
inline double millions_per_second(HoldState& world, double seconds, Increments& increments) {
  constexpr std::size_t kChunk = 10'000;
  const double start = processor_seconds();
  double spent = 0;
  std::size_t steps = 0;
  while (spent < seconds) {
    world.hold(kChunk, increments);
    steps += kChunk;
    spent = processor_seconds() - start;
  }
  return static_cast<double>(steps) / spent * 1e-6;
}

// Fills the queue and reaches the steady state.
inline void fill(HoldState& world, std::size_t pending, Increments& increments) {
  for (std::size_t i = 0; i < pending; ++i) world.push(increments.next());
  world.hold(pending, increments);
}

// The best of three rounds.
inline double best_rate(HoldState world, std::size_t pending, double seconds) {
  Increments increments;
  fill(world, pending, increments);
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    best = std::max(best, millions_per_second(world, seconds, increments));
  }
  return best;
}

}  // namespace ebb::bench
