// SPDX-License-Identifier: Apache-2.0
//
// A simulation: entities that send each other events, handled one at a time in the order of
// event.hpp. It owns the clock of the run and nothing else: no global, no network type. Two
// simulations in one process do not know of each other.
//
//   Simulation<Payload> simulation(entities);
//   simulation.schedule(sender, receiver, at, payload);
//   simulation.run_until(end, [&](const Event<Payload>& event) { ... schedule(...) ... });
#pragma once

#include "ebb/core/check.hpp"
#include "ebb/des/ladder_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ebb::des {

// Names a scheduled event until it happens or is cancelled; afterwards it names nothing.
struct Handle {
  SlotIndex slot = kNoSlot;
  EntityId sender{};
  std::uint32_t sequence = 0;
};

template <class Payload>
class Simulation {
 public:
  // No event lies beyond it.
  static constexpr TimePoint kEndOfTime{Duration(std::int64_t{1} << 62)};

  explicit Simulation(std::uint32_t entities) : next_sequence_(entities, 0), queue_(pool_) {}
  // The queue refers to the pool.
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] TimePoint now() const { return now_; }
  [[nodiscard]] std::size_t pending() const { return queue_.size() - cancelled_; }
  [[nodiscard]] std::uint64_t handled() const { return handled_; }

  void reserve(std::size_t events) { pool_.reserve(events); }
  // Of the pending events; the queue's own lists of indices come on top.
  [[nodiscard]] std::size_t memory_bytes() const {
    return pool_.memory_bytes() + next_sequence_.capacity() * sizeof(std::uint32_t);
  }

  // An entity may send itself an event for this very moment; another one only for later, so that
  // entities can live on different threads.
  Handle schedule(EntityId sender, EntityId receiver, TimePoint at, const Payload& payload) {
    return schedule(sender, receiver, at, next_sequence_[index(sender)]++, payload);
  }

  // For senders that number their events themselves, in a way that does not depend on how entities
  // are spread over threads. Two events of one sender to one receiver at one time have different
  // numbers, less than 2^31 apart, unless it makes no difference which comes first.
  Handle schedule(EntityId sender, EntityId receiver, TimePoint at, std::uint32_t sequence,
                  const Payload& payload) {
    EBB_CHECK(at > now_ || (at == now_ && sender == receiver), "an event must lie in the future");
    EBB_CHECK(at < kEndOfTime, "an event beyond the end of time");
    const SlotIndex slot = pool_.take({at, receiver, sender, sequence, payload});
    queue_.push(slot);
    return {slot, sender, sequence};
  }

  // An event that another part of the simulation has sent, in its own order.
  void receive(const Event<Payload>& event) {
    EBB_CHECK(event.at >= now_, "mail from the past");
    queue_.push(pool_.take(event));
  }

  // The time of the earliest event, cancelled ones included; kEndOfTime when there is none.
  [[nodiscard]] TimePoint next_time() {
    return queue_.empty() ? kEndOfTime : pool_[queue_.front()].event.at;
  }

  // False when the event has happened or was cancelled before. The slot is reclaimed when its time
  // comes: a queue has no cheap way to take an event out of the middle.
  bool cancel(const Handle& handle) {
    if (handle.slot == kNoSlot) return false;
    auto& slot = pool_[handle.slot];
    const bool same = slot.event.sender == handle.sender && slot.event.sequence == handle.sequence;
    if (!same || slot.done) return false;
    slot.done = true;
    ++cancelled_;
    return true;
  }

  // The payload of an event that will probably be handled `ahead` events after the next, for
  // prefetching; null when none is known.
  [[nodiscard]] const Payload* upcoming(std::size_t ahead) const {
    const SlotIndex slot = queue_.upcoming(ahead);
    return slot == kNoSlot ? nullptr : &pool_[slot].event.payload;
  }

  // Handles every event before `end`, then sets the clock to `end`.
  template <class Handler>
  void run_until(TimePoint end, Handler&& handle) {
    while (!queue_.empty()) {
      const SlotIndex slot = queue_.front();
      if (pool_[slot].event.at >= end) break;
      queue_.pop_front();
      take(slot, handle);
    }
    now_ = end;
  }

  // Handles events until none is left.
  template <class Handler>
  void run(Handler&& handle) {
    while (!queue_.empty()) {
      const SlotIndex slot = queue_.front();
      queue_.pop_front();
      take(slot, handle);
    }
  }

 private:
  template <class Handler>
  void take(SlotIndex slot, Handler& handle) {
    // A copy: the handler may schedule, which may move the pool.
    const Event<Payload> event = pool_[slot].event;
    const bool was_cancelled = pool_[slot].done;
    pool_[slot].done = true;
    pool_.give_back(slot);
    if (was_cancelled) {
      --cancelled_;
      return;
    }
    now_ = event.at;
    ++handled_;
    handle(event);
  }

  TimePoint now_{Duration(-1)};  // before the first event
  std::uint64_t handled_ = 0;
  std::size_t cancelled_ = 0;
  std::vector<std::uint32_t> next_sequence_;
  EventPool<Payload> pool_;
  LadderQueue<Payload> queue_;
};

}  // namespace ebb::des
