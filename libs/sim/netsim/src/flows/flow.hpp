// SPDX-License-Identifier: Apache-2.0
//
// Messages that are under way as flows of data: a transfer is a message, its flows are the paths
// that it takes at the same time, and a hop is a channel of a path with the buffer before it. Which
// of them has to be looked at next.
#pragma once

#include "../channel.hpp"

#include "ebb/routing/routing.hpp"
#include "ebb/units/time.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace ebb::netsim {

// Where they are in their pools.
enum class FlowIndex : std::uint32_t {};
constexpr std::uint32_t index(FlowIndex flow) { return static_cast<std::uint32_t>(flow); }
inline constexpr FlowIndex kNoFlow{kNone};
enum class TransferIndex : std::uint32_t {};
constexpr std::uint32_t index(TransferIndex transfer) {
  return static_cast<std::uint32_t>(transfer);
}
inline constexpr TransferIndex kNoTransfer{kNone};

inline constexpr std::int64_t kPicosecondsPerSecond = 1'000'000'000'000;

// Whole bits that are sent in the time; `fraction` is what was left of another before and is left
// now.
inline std::int64_t whole_bits(std::int64_t rate, Duration time, std::int64_t& fraction) {
  const Int128 product = static_cast<Int128>(rate) * time.count() + fraction;
  if (product < std::numeric_limits<std::int64_t>::max()) {
    const auto small = static_cast<std::int64_t>(product);
    fraction = small % kPicosecondsPerSecond;
    return small / kPicosecondsPerSecond;
  }
  fraction = static_cast<std::int64_t>(product % kPicosecondsPerSecond);
  return static_cast<std::int64_t>(product / kPicosecondsPerSecond);
}

// Time in which the bits are sent, rounded up. Two rates may differ by a bit in a second: what
// takes longer than a month is looked at again then.
inline constexpr Duration kLongestTime = std::chrono::hours(30 * 24);
inline Duration time_at(std::int64_t bits, std::int64_t rate) {
  std::int64_t product = 0;  // most fit into a word, and words are divided much faster
  if (!__builtin_mul_overflow(bits, kPicosecondsPerSecond, &product) &&
      !__builtin_add_overflow(product, rate - 1, &product))
    return std::min(Duration(product / rate), kLongestTime);
  const Int128 time = (static_cast<Int128>(bits) * kPicosecondsPerSecond + rate - 1) / rate;
  return time > kLongestTime.count() ? kLongestTime : Duration(static_cast<std::int64_t>(time));
}

struct FlowHop {
  ChannelId channel{};
  std::uint32_t place = 0;       // among the flows of the channel
  std::int64_t sent_bits = 0;    // as far as counted
  std::int64_t rate = 0;         // bit/s since then
  std::int64_t fraction = 0;     // of a bit sent beyond these, in 10^-12
  std::int64_t queued_bits = 0;  // that count as waiting for the channel
  TimePoint joined{};            // when its head took the channel
  TimePoint ended = kNever;      // when it had sent everything
  bool empty = true;             // nothing is in the buffer before it: it cannot outrun its inflow
  bool full = false;             // nothing more goes into that
};

// One path of a message. Hops that have sent all of it are done, the first ones first.
struct Flow {
  TransferIndex transfer{};
  FlowIndex sibling = kNoFlow;       // the next path of the same message
  FlowIndex next_waiting = kNoFlow;  // whose head waits for the same channel
  FlowIndex next = kNoFlow;          // in the free list
  TimePoint counted{};               // up to when what its hops have sent is counted
  TimePoint next_event = kNever;  // when a buffer is full or empty, or a hop done, at these rates
  std::uint32_t heap_place = kNone;  // among the next events
  TimePoint head_at{};               // when its head is, or was, at the channel that it takes next
  ChannelId output{};                // that this is
  routing::RouteState route;
  bool output_known = false;   // its head waits for this one
  bool arrived = false;        // its head is at the destination
  bool head_full = false;      // the buffer where its head waits is
  bool congested = false;      // another path was looked for
  bool ended = false;          // all of its hops are done
  bool steady = false;         // no buffer of it fills or runs empty
  bool changed = false;        // some rate of it has, at this moment
  std::uint32_t done = 0;      // hops that are
  std::int64_t weight = 1;     // its share of a channel against that of others
  std::int64_t turn_bits = 0;  // data of it that is sent as one, in its turn
  std::vector<FlowHop> path;
  FlowHop waiting;  // what counts as waiting for the channel for which its head waits
};

struct Transfer {
  TimePoint created{};
  TimePoint counted{};            // up to when `open_bits` is
  TimePoint next_event = kNever;  // when the host has sent everything, at this rate
  TimePoint delivered{};          // when the last bit is at the destination
  Duration tail{};                // from the end of sending until the last bit is there
  std::int64_t size_bits = 0;
  std::int64_t left_bits = 0;      // that the host has not sent, as far as its paths are counted
  std::int64_t open_bits = 0;      // that it has not sent, and so wait in the host
  std::int64_t host_rate = 0;      // bit/s at which it sends them
  std::int64_t host_fraction = 0;  // of a bit sent beyond these, in 10^-12
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint32_t message = 0;         // counts the messages of the source
  std::uint32_t heap_place = kNone;  // among the next events
  FlowIndex first = kNoFlow;
  TransferIndex next = kNoTransfer;  // in the free list
  std::uint8_t lane = 0;
  std::uint8_t flows = 0;  // that have not sent everything
  bool open = true;        // the host still sends it
  bool changed = false;    // the rate at which the host sends it has, at this moment
};

// Reuses entries; references stay good. An entry keeps its memory.
template <class Index, class Entry>
class FlowPool {
 public:
  [[nodiscard]] Index take() {
    ++in_use_;
    if (free_ == Index{kNone}) {
      if (made_ % kBlock == 0) blocks_.push_back(std::make_unique<Entry[]>(kBlock));
      return Index{made_++};
    }
    const Index taken = free_;
    free_ = (*this)[taken].next;
    return taken;
  }
  void give_back(Index entry) {
    --in_use_;
    (*this)[entry].next = free_;
    free_ = entry;
  }
  [[nodiscard]] Entry& operator[](Index entry) {
    return blocks_[index(entry) / kBlock][index(entry) % kBlock];
  }
  [[nodiscard]] const Entry& operator[](Index entry) const {
    return blocks_[index(entry) / kBlock][index(entry) % kBlock];
  }
  [[nodiscard]] std::size_t in_use() const { return in_use_; }
  [[nodiscard]] std::size_t memory_bytes() const { return blocks_.size() * kBlock * sizeof(Entry); }

 private:
  static constexpr std::uint32_t kBlock = 1024;

  std::vector<std::unique_ptr<Entry[]>> blocks_;
  std::uint32_t made_ = 0;
  Index free_{kNone};
  std::size_t in_use_ = 0;
};
using Flows = FlowPool<FlowIndex, Flow>;
using Transfers = FlowPool<TransferIndex, Transfer>;

// Entries of a pool that have an event, by its time: a heap in which they can move.
template <class Index, class Entry>
class FlowEvents {
 public:
  explicit FlowEvents(FlowPool<Index, Entry>& pool) : pool_(pool) {}

  [[nodiscard]] TimePoint next() const { return heap_.empty() ? kNever : heap_.front().at; }
  [[nodiscard]] Index first() const { return heap_.front().which; }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  [[nodiscard]] Index operator[](std::size_t place) const { return heap_[place].which; }

  // Its next event has another time; one that has none is not kept.
  void update(Index which) {
    const Entry& changed = pool_[which];
    if (changed.next_event == kNever) return remove(which);
    std::uint32_t place = changed.heap_place;
    if (place == kNone) {
      place = static_cast<std::uint32_t>(heap_.size());
      heap_.emplace_back();
    }
    settle({changed.next_event, which}, place);
  }
  void remove(Index which) {
    const std::uint32_t place = pool_[which].heap_place;
    if (place == kNone) return;
    pool_[which].heap_place = kNone;
    const Event last = heap_.back();
    heap_.pop_back();
    if (last.which != which) settle(last, place);
  }

 private:
  struct Event {
    TimePoint at{};
    Index which{};

    [[nodiscard]] bool before(const Event& other) const {
      return at != other.at ? at < other.at : which < other.which;
    }
  };

  // Puts the event where it belongs, beginning with a place that is free.
  void settle(Event event, std::uint32_t place) {
    while (place > 0 && event.before(heap_[(place - 1) / 2])) {
      put(heap_[(place - 1) / 2], place);
      place = (place - 1) / 2;
    }
    for (;;) {
      std::size_t child = std::size_t{2} * place + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && heap_[child + 1].before(heap_[child])) ++child;
      if (!heap_[child].before(event)) break;
      put(heap_[child], place);
      place = static_cast<std::uint32_t>(child);
    }
    put(event, place);
  }
  void put(const Event& event, std::uint32_t place) {
    heap_[place] = event;
    pool_[event.which].heap_place = place;
  }

  FlowPool<Index, Entry>& pool_;
  std::vector<Event> heap_;
};

}  // namespace ebb::netsim
