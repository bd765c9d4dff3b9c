// SPDX-License-Identifier: Apache-2.0
#include "ebb/des/simulation.hpp"

#include "ebb/core/random.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace ebb::des {
namespace {

struct Note {
  std::uint32_t what = 0;
};

TimePoint at(std::int64_t picoseconds) { return TimePoint(Duration(picoseconds)); }
constexpr EntityId entity(std::uint32_t i) { return EntityId{i}; }

std::vector<std::uint32_t> run_all(Simulation<Note>& simulation) {
  std::vector<std::uint32_t> seen;
  simulation.run([&](const Event<Note>& event) { seen.push_back(event.payload.what); });
  return seen;
}

TEST(Simulation, OrdersByTimeReceiverSenderSequence) {
  Simulation<Note> simulation(4);
  simulation.schedule(entity(1), entity(2), at(5), {7});
  simulation.schedule(entity(3), entity(0), at(5), {4});
  simulation.schedule(entity(2), entity(0), at(5), {2});
  simulation.schedule(entity(2), entity(0), at(5), {3});
  simulation.schedule(entity(0), entity(3), at(4), {1});
  simulation.schedule(entity(0), entity(1), at(5), {5});
  simulation.schedule(entity(1), entity(1), at(5), {6});
  EXPECT_EQ(run_all(simulation), (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7}));
}

TEST(Simulation, RunUntilStopsBeforeTheEndAndGoesOn) {
  Simulation<Note> simulation(1);
  for (std::uint32_t i = 0; i < 10; ++i) simulation.schedule(entity(0), entity(0), at(10 * i), {i});
  std::vector<std::uint32_t> seen;
  const auto collect = [&](const Event<Note>& event) { seen.push_back(event.payload.what); };
  simulation.run_until(at(30), collect);
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(simulation.now(), at(30));
  EXPECT_EQ(simulation.pending(), 7U);
  simulation.run_until(at(31), collect);
  EXPECT_EQ(seen.size(), 4U);
}

TEST(Simulation, CancelledEventsDoNotHappenAndHandlesExpire) {
  Simulation<Note> simulation(1);
  const Handle first = simulation.schedule(entity(0), entity(0), at(1), {1});
  const Handle second = simulation.schedule(entity(0), entity(0), at(2), {2});
  EXPECT_TRUE(simulation.cancel(first));
  EXPECT_FALSE(simulation.cancel(first));
  EXPECT_EQ(simulation.pending(), 1U);
  EXPECT_EQ(run_all(simulation), (std::vector<std::uint32_t>{2}));
  EXPECT_FALSE(simulation.cancel(second));
  // The slot lives on with another event; the old handle must not reach it.
  simulation.schedule(entity(0), entity(0), at(3), {3});
  EXPECT_FALSE(simulation.cancel(first));
  EXPECT_FALSE(simulation.cancel(second));
  EXPECT_FALSE(simulation.cancel(Handle{}));
  EXPECT_EQ(run_all(simulation), (std::vector<std::uint32_t>{3}));
}

TEST(Simulation, TwoInOneProcessDoNotMeet) {
  Simulation<Note> a(1);
  Simulation<Note> b(1);
  a.schedule(entity(0), entity(0), at(1), {1});
  b.schedule(entity(0), entity(0), at(2), {2});
  EXPECT_EQ(run_all(a), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(b.pending(), 1U);
  EXPECT_EQ(run_all(b), (std::vector<std::uint32_t>{2}));
}

TEST(SimulationDeathTest, RefusesThePastAndInstantMessages) {
  Simulation<Note> simulation(2);
  simulation.schedule(entity(0), entity(0), at(10), {});
  simulation.run([](const auto&) {});
  EXPECT_DEATH(simulation.schedule(entity(0), entity(0), at(9), {}), "must lie in the future");
  EXPECT_DEATH(simulation.schedule(entity(0), entity(1), at(10), {}), "must lie in the future");
  simulation.schedule(entity(0), entity(0), at(10), {});
}

TEST(EarlierSequence, SurvivesTheWrap) {
  EXPECT_TRUE(earlier_sequence(1, 2));
  EXPECT_TRUE(earlier_sequence(0xfffffffeU, 3));
  EXPECT_FALSE(earlier_sequence(3, 0xfffffffeU));
}

// Time steps of very different sizes, many ties, bursts: whatever the buckets do, the order is that
// of a plain sort.
RC_GTEST_PROP(LadderQueue, GivesTheOrderOfASort, ()) {
  RandomStream random(*rc::gen::arbitrary<std::uint32_t>(), "ladder");
  const auto scale = *rc::gen::element<std::int64_t>(1, 3, 1'000, 1'000'000'000);
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 3'000);
  Simulation<Note> simulation(8);
  std::vector<Event<Note>> expected;
  std::uint32_t sequences[8] = {};
  const auto schedule = [&](TimePoint now) {
    const auto sender = static_cast<std::uint32_t>(random.below(8));
    const auto receiver = static_cast<std::uint32_t>(random.below(8));
    const std::uint64_t reach = random.below(20) == 0 ? 1'000 : 10;
    const TimePoint when =
        now + Duration(1 + static_cast<std::int64_t>(random.below(reach)) * scale);
    simulation.schedule(entity(sender), entity(receiver), when, {});
    expected.push_back({when, entity(receiver), entity(sender), sequences[sender]++, {}});
  };
  for (std::uint32_t i = 0; i < count; ++i) schedule(at(0));
  std::vector<Event<Note>> seen;
  simulation.run([&](const Event<Note>& event) {
    seen.push_back(event);
    if (seen.size() < 2 * count && random.below(3) > 0) schedule(event.at);
  });
  std::sort(expected.begin(), expected.end(), before<Note>);
  RC_ASSERT(seen.size() == expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    RC_ASSERT(!before(seen[i], expected[i]) && !before(expected[i], seen[i]));
  }
}

// A long burst at one instant, and one far timer: neither may cost more than its share.
TEST(LadderQueue, HandlesSkewedTimes) {
  Simulation<Note> simulation(1);
  simulation.schedule(entity(0), entity(0), at(1'000'000'000'000), {1});
  for (std::uint32_t i = 0; i < 200'000; ++i) simulation.schedule(entity(0), entity(0), at(5), {0});
  std::int64_t last = 0;
  std::uint64_t chained = 0;
  simulation.run([&](const Event<Note>& event) {
    last = event.at.time_since_epoch().count();
    if (event.payload.what == 0 && chained < 200'000) {
      ++chained;
      simulation.schedule(entity(0), entity(0),
                          event.at + Duration(static_cast<std::int64_t>(chained % 7)), {2});
    }
  });
  EXPECT_EQ(simulation.handled(), 400'001U);
  EXPECT_EQ(last, 1'000'000'000'000);
}

TEST(Simulation, AllocatesNothingOnceItHasItsSize) {
  EventPool<Note> pool;
  pool.reserve(16);
  const auto before_use = pool.memory_bytes();
  for (int round = 0; round < 1'000; ++round) {
    SlotIndex taken[16];
    for (SlotIndex& slot : taken) slot = pool.take({});
    for (const SlotIndex slot : taken) pool.give_back(slot);
  }
  EXPECT_EQ(pool.memory_bytes(), before_use);
}

}  // namespace
}  // namespace ebb::des
