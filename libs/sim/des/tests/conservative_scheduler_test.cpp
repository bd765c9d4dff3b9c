// SPDX-License-Identifier: Apache-2.0
//
// Entities that send each other numbers, on any number of threads: what each one saw, in order.
#include "ebb/des/conservative_scheduler.hpp"

#include "ebb/des/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace ebb::des {
namespace {

constexpr std::uint32_t kEntities = 24;
constexpr Duration kLookahead{50};

using Ball = std::uint64_t;
using Seen = std::vector<std::vector<std::pair<TimePoint, Ball>>>;

// Entity e lives in part e % parts. A ball goes on to an entity and after a delay that follow from
// its number, so many meet at one time.
class Parts {
 public:
  explicit Parts(std::uint32_t count)
      : batches_(2 * count * count), round_(count), enqueued_(count, kEndOfTime), seen_(kEntities) {
    for (std::uint32_t p = 0; p < count; ++p) {
      simulations_.push_back(std::make_unique<Simulation<Ball>>());
    }
    for (std::uint32_t e = 0; e < kEntities; ++e) {
      simulations_[part(e)]->schedule(EntityId{e}, TimePoint(Duration(e % 5)), e);
    }
  }

  TimePoint next(std::uint32_t p) { return std::min(enqueued_[p], simulations_[p]->next_time()); }
  static TimePoint exchange(std::uint32_t /*round*/, TimePoint earliest) { return earliest; }

  void receive(std::uint32_t p, std::uint32_t round) {
    round_[p] = round ^ 1U;
    enqueued_[p] = kEndOfTime;
    for (std::uint32_t from = 0; from < count(); ++from) {
      auto& batch = this->batch(round, from, p);
      for (const Event<Ball>& event : batch)
        simulations_[p]->schedule(event.receiver, event.at, event.payload);
      batch.clear();
    }
  }

  void run(std::uint32_t p, TimePoint end) {
    simulations_[p]->run_until(end, [&](const Event<Ball>& event) {
      const std::uint32_t here = index(event.receiver);
      const Ball ball = event.payload * 6364136223846793005U + 1442695040888963407U;
      seen_[here].emplace_back(event.at, event.payload);
      const auto there = static_cast<std::uint32_t>(ball >> 40U) % kEntities;
      const TimePoint at = event.at + kLookahead + Duration(ball >> 62U);
      if (part(there) == p) {
        simulations_[p]->schedule(EntityId{there}, at, ball);
      } else {
        batch(round_[p], p, part(there)).push_back({at, EntityId{there}, ball});
        enqueued_[p] = std::min(enqueued_[p], at);
      }
    });
  }

  [[nodiscard]] const Seen& seen() const { return seen_; }

 private:
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(simulations_.size());
  }
  [[nodiscard]] std::uint32_t part(std::uint32_t entity) const { return entity % count(); }
  std::vector<Event<Ball>>& batch(std::uint32_t round, std::uint32_t from, std::uint32_t to) {
    return batches_[(round * count() + from) * count() + to];
  }

  std::vector<std::unique_ptr<Simulation<Ball>>> simulations_;
  std::vector<std::vector<Event<Ball>>> batches_;
  std::vector<std::uint32_t> round_;  // by part: in which it posts
  std::vector<TimePoint> enqueued_;   // by part: the earliest
  Seen seen_;
};

Seen play(std::uint32_t parts, std::vector<std::int64_t> stops) {
  Parts world(parts);
  ThreadTeam team(parts);
  ConservativeScheduler scheduler(team, kLookahead);
  for (const std::int64_t stop : stops) scheduler.run_until(TimePoint(Duration(stop)), world);
  return world.seen();
}

TEST(ConservativeScheduler, AnyNumberOfPartsSeesTheSame) {
  const Seen alone = play(1, {20'000});
  std::size_t balls = 0;
  for (const auto& entity : alone) balls += entity.size();
  EXPECT_GT(balls, 8'000U);  // 24 balls, about 50 ps a hop
  for (const std::uint32_t parts : {2U, 3U, 5U})
    EXPECT_TRUE(play(parts, {20'000}) == alone) << parts;
}

TEST(ConservativeScheduler, StopsChangeNothing) {
  EXPECT_TRUE(play(3, {1, 2, 777, 778, 15'000, 20'000}) == play(1, {20'000}));
}

TEST(ConservativeScheduler, AnEmptyWorldEnds) {
  Parts world(2);
  ThreadTeam team(2);
  ConservativeScheduler scheduler(team, kLookahead);
  scheduler.run_until(TimePoint(), world);
  for (const auto& entity : world.seen()) EXPECT_TRUE(entity.empty());
}

TEST(ThreadTeam, EveryMemberDoesEveryTask) {
  for (const std::uint32_t members : {1U, 2U, 5U}) {
    ThreadTeam team(members);
    std::vector<std::uint32_t> done(members);
    for (int task = 0; task < 1'000; ++task) team.run([&](std::uint32_t m) { ++done[m]; });
    EXPECT_EQ(done, std::vector<std::uint32_t>(members, 1'000));
  }
}

TEST(ThreadTeam, KeepsItsThreads) {
  ThreadTeam team(3);
  std::vector<std::thread::id> first(3);
  team.run([&](std::uint32_t m) { first[m] = std::this_thread::get_id(); });
  team.run([&](std::uint32_t m) { EXPECT_EQ(std::this_thread::get_id(), first[m]); });
  EXPECT_EQ(first[0], std::this_thread::get_id());
}

}  // namespace
}  // namespace ebb::des
