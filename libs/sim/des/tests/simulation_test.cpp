// SPDX-License-Identifier: Apache-2.0
#include "ebb/des/simulation.hpp"

#include "ebb/core/random.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <tuple>
#include <vector>

namespace ebb::des {
namespace {

struct Note {
  std::uint32_t what = 0;
  auto operator<=>(const Note&) const = default;
};

TimePoint at(std::int64_t picoseconds) { return TimePoint(Duration(picoseconds)); }
constexpr EntityId entity(std::uint32_t i) { return EntityId{i}; }

std::vector<std::uint32_t> run_all(Simulation<Note>& simulation) {
  std::vector<std::uint32_t> seen;
  simulation.run([&](const Event<Note>& event) { seen.push_back(event.payload.what); });
  return seen;
}

TEST(Simulation, OrdersByTimeReceiverPayload) {
  Simulation<Note> simulation;
  simulation.schedule(entity(2), at(5), {7});
  simulation.schedule(entity(0), at(5), {4});
  simulation.schedule(entity(0), at(5), {2});
  simulation.schedule(entity(0), at(5), {3});
  simulation.schedule(entity(3), at(4), {9});
  simulation.schedule(entity(1), at(5), {1});
  EXPECT_EQ(run_all(simulation), (std::vector<std::uint32_t>{9, 2, 3, 4, 1, 7}));
}

// Two events of one moment and entity.
struct LargestFirst : PayloadOrder<Note> {
  [[nodiscard]] bool before(const Event<Note>& a, const Event<Note>& b) const {
    return b.payload < a.payload;
  }
};

TEST(Simulation, AsksTheModelWhichOfTwoIsFirst) {
  Simulation<Note, LargestFirst> simulation;
  for (const std::uint32_t what : {2U, 5U, 3U}) simulation.schedule(entity(0), at(5), {what});
  simulation.schedule(entity(1), at(5), {9});
  std::vector<std::uint32_t> seen;
  simulation.run([&](const Event<Note>& event) { seen.push_back(event.payload.what); });
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{5, 3, 2, 9}));
}

// Says which events were announced.
struct Announced : PayloadOrder<Note> {
  void fetch_early(const Event<Note>& event) const { early->push_back(event.payload.what); }
  void fetch(const Event<Note>& event) const { soon->push_back(event.payload.what); }
  std::vector<std::uint32_t>* early = nullptr;
  std::vector<std::uint32_t>* soon = nullptr;
};

TEST(Simulation, AnnouncesEventsBeforeTheyHappen) {
  constexpr std::uint32_t kEvents = 1000;
  std::vector<std::uint32_t> early;
  std::vector<std::uint32_t> soon;
  Announced order;
  order.early = &early;
  order.soon = &soon;
  Simulation<Note, Announced> simulation(order);
  for (std::uint32_t i = 0; i < kEvents; ++i) simulation.schedule(entity(0), at(10 * i), {i});
  std::uint32_t announced_in_time = 0;
  simulation.run([&](const Event<Note>& event) {
    const auto is = [&](const std::vector<std::uint32_t>& list) {
      return std::find(list.begin(), list.end(), event.payload.what) != list.end();
    };
    announced_in_time += is(early) && is(soon) ? 1 : 0;
  });
  // Not those of the first buckets.
  EXPECT_GT(announced_in_time, kEvents / 2);
}

TEST(Simulation, RunUntilStopsBeforeTheEndAndGoesOn) {
  Simulation<Note> simulation;
  for (std::uint32_t i = 0; i < 10; ++i) simulation.schedule(entity(0), at(10 * i), {i});
  std::vector<std::uint32_t> seen;
  const auto collect = [&](const Event<Note>& event) { seen.push_back(event.payload.what); };
  simulation.run_until(at(30), collect);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(simulation.now(), at(30));
  EXPECT_EQ(simulation.pending(), 7U);
  simulation.run_until(at(31), collect);
  EXPECT_EQ(seen.size(), 4U);
}

TEST(Simulation, TwoInOneProcessDoNotMeet) {
  Simulation<Note> a;
  Simulation<Note> b;
  a.schedule(entity(0), at(1), {1});
  b.schedule(entity(0), at(2), {2});
  EXPECT_EQ(run_all(a), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(b.pending(), 1U);
  EXPECT_EQ(run_all(b), (std::vector<std::uint32_t>{2}));
}

TEST(SimulationDeathTest, RefusesThePast) {
  Simulation<Note> simulation;
  simulation.schedule(entity(0), at(10), {});
  simulation.run([](const auto&) {});
  EXPECT_DEATH(simulation.schedule(entity(0), at(9), {}), "must not lie in the past");
  simulation.schedule(entity(0), at(10), {});
}

// Time steps of very different sizes, many ties, bursts: whatever the buckets do, the order is that
// of a plain sort.
RC_GTEST_PROP(LadderQueue, GivesTheOrderOfASort, ()) {
  RandomStream random(*rc::gen::arbitrary<std::uint32_t>(), "ladder");
  const auto scale = *rc::gen::element<std::int64_t>(1, 3, 1'000, 1'000'000'000);
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 3'000);
  Simulation<Note> simulation;
  std::vector<Event<Note>> expected;
  const auto schedule = [&](TimePoint now) {
    const EntityId receiver = entity(static_cast<std::uint32_t>(random.below(8)));
    const Note note{static_cast<std::uint32_t>(random.below(8))};
    const std::uint64_t reach = random.below(20) == 0 ? 1'000 : 10;
    const TimePoint when =
        now + Duration(1 + static_cast<std::int64_t>(random.below(reach)) * scale);
    simulation.schedule(receiver, when, note);
    expected.push_back({when, receiver, note});
  };
  for (std::uint32_t i = 0; i < count; ++i) schedule(at(0));
  std::vector<Event<Note>> seen;
  simulation.run([&](const Event<Note>& event) {
    seen.push_back(event);
    if (seen.size() < 2 * count && random.below(3) > 0) schedule(event.at);
  });
  const auto key = [](const Event<Note>& event) {
    return std::tuple(event.at, event.receiver, event.payload);
  };
  std::sort(expected.begin(), expected.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  RC_ASSERT(seen.size() == expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) RC_ASSERT(key(seen[i]) == key(expected[i]));
}

// A long burst at one instant, and one far timer: neither may cost more than its share.
TEST(LadderQueue, HandlesSkewedTimes) {
  Simulation<Note> simulation;
  simulation.schedule(entity(0), at(1'000'000'000'000), {1});
  for (std::uint32_t i = 0; i < 200'000; ++i) simulation.schedule(entity(0), at(5), {0});
  std::int64_t last = 0;
  std::uint64_t chained = 0;
  simulation.run([&](const Event<Note>& event) {
    last = event.at.time_since_epoch().count();
    if (event.payload.what == 0 && chained < 200'000) {
      ++chained;
      simulation.schedule(entity(0), event.at + Duration(static_cast<std::int64_t>(chained % 7)),
                          {2});
    }
  });
  EXPECT_EQ(simulation.handled(), 400'001U);
  EXPECT_EQ(last, 1'000'000'000'000);
}

TEST(Simulation, AllocatesNothingOnceItHasItsSize) {
  Simulation<Note> simulation;
  RandomStream random(1, "hold");
  const auto schedule = [&](TimePoint now) {
    simulation.schedule(entity(0), now + Duration(1 + static_cast<std::int64_t>(random.below(999))),
                        {});
  };
  for (int i = 0; i < 1'000; ++i) schedule(at(0));
  const auto hold_until = [&](TimePoint end) {
    simulation.run_until(end, [&](const Event<Note>& event) { schedule(event.at); });
    return simulation.memory_bytes();
  };
  const std::size_t working_size = hold_until(at(1'000'000));
  EXPECT_EQ(hold_until(at(2'000'000)), working_size);
}

}  // namespace
}  // namespace ebb::des
