// SPDX-License-Identifier: Apache-2.0
//
// A simulation: entities that send each other events, handled one at a time in the order of
// event.hpp. It owns the clock of the run and nothing else: no global, no network type. Two
// simulations in one process do not know of each other.
//
//   Simulation<Payload> simulation;
//   simulation.schedule(receiver, at, payload);
//   simulation.run_until(end, [&](const Event<Payload>& event) { ... schedule(...) ... });
#pragma once

#include "ebb/core/check.hpp"
#include "ebb/des/ladder_queue.hpp"

#include <cstddef>
#include <cstdint>

namespace ebb::des {

// No event lies beyond it.
inline constexpr TimePoint kEndOfTime{Duration(std::int64_t{1} << 62)};

template <class Payload, class Order = PayloadOrder<Payload>>
class Simulation {
 public:
  explicit Simulation(Order order = {}) : queue_(order) {}

  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] std::size_t pending() const { return queue_.size(); }
  [[nodiscard]] std::uint64_t handled() const { return handled_; }
  [[nodiscard]] std::size_t memory_bytes() const { return queue_.memory_bytes(); }

  // An entity may schedule an event of its own for this very moment. What it sends to others must
  // take time, or what they do would depend on which of them was first.
  void schedule(EntityId receiver, TimePoint at, const Payload& payload) {
    EBB_CHECK(at >= now_, "an event must not lie in the past");
    EBB_CHECK(at < kEndOfTime, "an event beyond the end of time");
    queue_.push({at, receiver, payload});
  }

  // The time of the earliest event; kEndOfTime when there is none.
  [[nodiscard]] TimePoint next_time() { return queue_.empty() ? kEndOfTime : queue_.front().at; }

  // Handles every event before `end`, then sets the clock to `end`.
  template <class Handler>
  void run_until(TimePoint end, Handler&& handle) {
    Event<Payload> event;
    while (queue_.pop_before(end, event)) take(event, handle);
    now_ = end;
  }

  // Handles events until none is left.
  template <class Handler>
  void run(Handler&& handle) {
    Event<Payload> event;
    while (queue_.pop_before(TimePoint::max(), event)) take(event, handle);
  }

 private:
  template <class Handler>
  void take(const Event<Payload>& event, Handler& handle) {
    now_ = event.at;
    ++handled_;
    handle(event);
  }

  TimePoint now_{Duration(-1)};  // before the first event
  std::uint64_t handled_ = 0;
  LadderQueue<Payload, Order> queue_;
};

}  // namespace ebb::des
