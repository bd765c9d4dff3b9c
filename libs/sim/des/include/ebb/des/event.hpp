// SPDX-License-Identifier: Apache-2.0
//
// Events and their order.
//
// An event is something that happens to one entity at a point in time. The payload is the model's
// own small, trivially copyable type and says what happens.
//
// Order. Events happen in the order of (time, receiver); those of one time and receiver in the
// order that the model gives. None of these may depend on memory, on arrival or on how entities are
// spread over threads or processes, so neither does the result of a run.
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
  Payload payload{};
};

// What a queue asks of a model; this one is for models whose payloads say it all. Two events of
// which neither is before the other are alike: it makes no difference which of them comes first.
template <class Payload>
struct PayloadOrder {
  // Of two events of one time and receiver.
  [[nodiscard]] bool before(const Event<Payload>& a, const Event<Payload>& b) const {
    return a.payload < b.payload;
  }
  // The event will be handled some events later, or soon: a model that waits for memory fetches
  // here what it will need. An event that is scheduled at short notice is not announced.
  void fetch_early(const Event<Payload>& /*event*/) const {}
  void fetch(const Event<Payload>& /*event*/) const {}
};

}  // namespace ebb::des
