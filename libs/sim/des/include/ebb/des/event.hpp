// SPDX-License-Identifier: Apache-2.0
//
// An event: something that happens to one entity at a point in time, sent by an entity (perhaps
// itself). The payload is the model's own small, trivially copyable type.
//
// Order. Events happen in the order of (time, receiver, sender, sender's sequence). None of these
// depends on memory, on arrival or on how entities are spread over threads or processes, so neither
// does the result of a run.
#pragma once

#include "ebb/units/time.hpp"

#include <cstdint>
#include <type_traits>

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

}  // namespace ebb::des
