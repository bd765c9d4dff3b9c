// SPDX-License-Identifier: Apache-2.0
//
// Events, their order, and the storage of those that are pending.
//
// An event is something that happens to one entity at a point in time, sent by an entity (perhaps
// itself). The payload is the model's own small, trivially copyable type.
//
// Order. Events happen in the order of (time, receiver, sender, sender's sequence). None of these
// depends on memory, on arrival or on how entities are spread over threads or processes, so neither
// does the result of a run.
#pragma once

#include "ebb/core/large_vector.hpp"
#include "ebb/units/time.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace ebb::des {

enum class EntityId : std::uint32_t {};

constexpr std::uint32_t index(EntityId id) { return static_cast<std::uint32_t>(id); }

template <class Payload>
struct Event {
  static_assert(std::is_trivially_copyable_v<Payload>);

  TimePoint at;
  EntityId receiver{};
  EntityId sender{};
  std::uint32_t sequence = 0;  // counts the sender's events; may wrap
  Payload payload{};
};

// Sequence numbers wrap after 2^32 events of one sender. Two that meet in a queue are near each
// other, so the sign of the difference tells which is earlier.
constexpr bool earlier_sequence(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::int32_t>(a - b) < 0;
}

template <class Payload>
constexpr bool before(const Event<Payload>& a, const Event<Payload>& b) {
  if (a.at != b.at) return a.at < b.at;
  if (a.receiver != b.receiver) return a.receiver < b.receiver;
  if (a.sender != b.sender) return a.sender < b.sender;
  return earlier_sequence(a.sequence, b.sequence);
}

// Storage of the pending events: fixed-size slots that are reused, linked into lists by index.
// Grows by doubling and never shrinks, so a run allocates nothing once it has reached its working
// size.
using SlotIndex = std::uint32_t;
inline constexpr SlotIndex kNoSlot = std::numeric_limits<SlotIndex>::max();

template <class Payload>
class EventPool {
 public:
  struct Slot {
    Event<Payload> event;
    SlotIndex next = kNoSlot;  // in the free list, or in the list of a queue
    bool done = false;         // has happened or was cancelled
  };

  [[nodiscard]] SlotIndex take(const Event<Payload>& event) {
    if (free_ == kNoSlot) {
      slots_.push_back({event});
      return static_cast<SlotIndex>(slots_.size() - 1);
    }
    const SlotIndex slot = free_;
    free_ = slots_[slot].next;
    slots_[slot] = {event};
    return slot;
  }

  void give_back(SlotIndex slot) {
    slots_[slot].next = free_;
    free_ = slot;
  }

  [[nodiscard]] Slot& operator[](SlotIndex slot) { return slots_[slot]; }
  [[nodiscard]] const Slot& operator[](SlotIndex slot) const { return slots_[slot]; }

  void reserve(std::size_t events) { slots_.reserve(events); }
  [[nodiscard]] std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  LargeVector<Slot> slots_;
  SlotIndex free_ = kNoSlot;
};

}  // namespace ebb::des
