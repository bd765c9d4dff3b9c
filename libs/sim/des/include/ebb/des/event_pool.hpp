// SPDX-License-Identifier: Apache-2.0
//
// Storage of the pending events: fixed-size slots that are reused, linked into lists by index.
// Grows by doubling and never shrinks, so a run allocates nothing once it has reached its working
// size.
#pragma once

#include "ebb/core/large_vector.hpp"
#include "ebb/des/event.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ebb::des {

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
