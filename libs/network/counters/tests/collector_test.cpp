// SPDX-License-Identifier: Apache-2.0
#include "ebb/counters/collector.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace ebb::counters {
namespace {

using namespace std::chrono_literals;

constexpr UnixTime kStart = 1'000'200s;  // begins a step of 300 s

class Counters : public testing::Test {
 protected:
  void octets(UnixTime after, std::uint64_t value) {
    collector_.octets(track_, kStart + after, value, {.file = "a.csv", .line = ++line_});
  }
  const Loads& finish() {
    loads_ = std::move(collector_).finish().value();
    return loads_;
  }
  [[nodiscard]] std::uint64_t found(AnomalyKind kind) const {
    for (const Anomaly& one : loads_.anomalies) {
      if (one.kind == kind) return one.times;
    }
    return 0;
  }
  [[nodiscard]] float load(std::size_t step) const { return loads_.tracks[0].loads.at(step); }
  void width(Width width) { track_ = collector_.track("other", Direction::out, width); }

  Collector collector_{{.step = 300s}};
  TrackId track_ = collector_.track("eth0", Direction::out, Width::bits_64);
  Loads loads_;
  int line_ = 0;
};

TEST_F(Counters, GrowByWhatWasSentInAStep) {
  octets(0s, 1000);
  octets(300s, 1000 + 375'000);  // 10 kb/s
  octets(600s, 1000 + 375'000);
  finish();
  EXPECT_EQ(loads_.tracks[0].first, kStart / 300s);
  EXPECT_FLOAT_EQ(load(0), 10'000);
  EXPECT_FLOAT_EQ(load(1), 0);
  EXPECT_EQ(loads_.tracks[0].loads.size(), 2U);
  EXPECT_TRUE(loads_.anomalies.empty());
}

TEST_F(Counters, ReadBetweenStepsCountForBoth) {
  octets(0s, 0);
  octets(150s, 150'000);            // 8 kb/s for half of the first step
  octets(450s, 150'000 + 300'000);  // 8 kb/s
  octets(600s, 150'000 + 300'000);  // nothing in the second half of the second
  finish();
  EXPECT_FLOAT_EQ(load(0), 8'000);
  EXPECT_FLOAT_EQ(load(1), 4'000);
}

TEST_F(Counters, OfLessThanHalfAStepAreNotKnown) {
  octets(200s, 0);
  octets(400s, 100'000);
  octets(600s, 200'000);
  finish();
  ASSERT_EQ(loads_.tracks[0].loads.size(), 1U);  // the first step was seen for 100 s
  EXPECT_EQ(loads_.tracks[0].first, kStart / 300s + 1);
}

TEST_F(Counters, ThatBeganAgainAreAReset) {
  octets(0s, 5'000'000'000);
  octets(300s, 375'000);
  octets(600s, 750'000);
  finish();
  EXPECT_EQ(found(AnomalyKind::reset), 1U);
  EXPECT_EQ(loads_.anomalies[0].first.line, 2);
  EXPECT_EQ(loads_.tracks[0].first, kStart / 300s + 1) << "what was sent before is not known";
  EXPECT_FLOAT_EQ(load(0), 10'000);
}

TEST_F(Counters, Of32BitsWrap) {
  track_ = collector_.track("short", Direction::in, Width::bits_32);
  octets(0s, 4'294'967'295);
  octets(300s, 374'999);
  loads_ = std::move(collector_).finish().value();
  EXPECT_EQ(found(AnomalyKind::wrap), 1U);
  EXPECT_FLOAT_EQ(loads_.tracks[1].loads.at(0), 10'000);
}

TEST_F(Counters, Of64BitsWrapFromTheirUpperHalf) {
  octets(0s, ~std::uint64_t{0});
  octets(300s, 374'999);
  finish();
  EXPECT_EQ(found(AnomalyKind::wrap), 1U);
  EXPECT_FLOAT_EQ(load(0), 10'000);
}

TEST_F(Counters, ThatAreNotReadLeaveAGap) {
  octets(0s, 0);
  octets(300s, 375'000);
  octets(1200s, 1'500'000);
  octets(1500s, 1'875'000);
  finish();
  EXPECT_EQ(found(AnomalyKind::gap), 1U);
  EXPECT_FLOAT_EQ(load(0), 10'000);
  for (const std::size_t step : {1, 2, 3}) EXPECT_FALSE(is_known(load(step))) << step;
  EXPECT_FLOAT_EQ(load(4), 10'000);
}

TEST_F(Counters, ThatComeTwiceOrLateAreLeftOut) {
  octets(0s, 0);
  octets(300s, 375'000);
  octets(300s, 999'999);
  octets(200s, 1);
  octets(600s, 750'000);
  finish();
  EXPECT_EQ(found(AnomalyKind::duplicate), 1U);
  EXPECT_EQ(found(AnomalyKind::clock), 1U);
  EXPECT_FLOAT_EQ(load(1), 10'000);
}

TEST_F(Counters, OfAnotherCenturyAreLeftOut) {
  octets(0s, 0);
  octets(300s, 375'000);
  octets(std::chrono::hours(24 * 365 * 60), 380'000);
  octets(600s, 750'000);
  finish();
  EXPECT_EQ(found(AnomalyKind::clock), 1U);
  EXPECT_FLOAT_EQ(load(1), 10'000);
}

TEST(AStep, IsWhatIsUsualBetweenReadings) {
  Collector collector({});
  const TrackId one = collector.track("one", Direction::out, Width::bits_64);
  const TrackId other = collector.track("other", Direction::in, Width::bits_64);
  UnixTime at = 0s;
  for (const UnixTime between : {299'700ms, 300'200ms, 300'400ms, 900'000ms, 299'900ms}) {
    at += between;
    collector.octets(one, at, 0, {});
    collector.octets(other, at, 0, {});
  }
  EXPECT_EQ(std::move(collector).finish()->step, 300s);
}

TEST(AStep, IsNotKnownOfOneReading) {
  Collector collector({});
  collector.octets(collector.track("one", Direction::out, Width::bits_64), 1s, 0, {});
  EXPECT_EQ(std::move(collector).finish().error()[0].message, "no interface was read twice");
}

TEST(AStep, IsToldOnce) {
  Collector collector({});
  const TrackId track = collector.track("one", Direction::out, Width::bits_64);
  collector.octets(track, 0s, 0, {});
  EXPECT_FALSE(collector.known_step());
  collector.octets(track, 600s, 75'000, {});
  EXPECT_EQ(collector.known_step(), UnixTime(600s));
  Collector other({});
  other.rate(other.track("one", Direction::out, Width::unknown), 600s, 7, {});
  other.use_step(300s);
  const Loads loads = std::move(other).finish().value();
  EXPECT_EQ(loads.tracks[0].first, 2);
  EXPECT_EQ(loads.readings, 1U);
}

TEST(Loads, HaveABound) {
  const auto finished = [](std::uint64_t most, UnixTime other) {
    Collector collector({.step = 1s, .most_loads = most});
    const TrackId one = collector.track("one", Direction::out, Width::unknown);
    collector.rate(one, 0s, 7, {});
    collector.rate(one, 99s, 7, {});
    collector.rate(collector.track("two", Direction::out, Width::unknown), other, 7, {});
    return std::move(collector).finish();
  };
  EXPECT_TRUE(finished(101, 5s));
  EXPECT_EQ(finished(100, 5s).error()[0].message,
            "more than 100 loads in steps of 1 s: a longer --step, or fewer interfaces at a time");
  EXPECT_EQ(finished(101, 5'000'000s).error()[0].message,
            "one begins at 0 s and two ends at 5000001 s: more than 4000000 steps of 1 s");
}

TEST(Rates, AreLoadsOfTheStepThatTheyLieIn) {
  Collector collector({.step = 300s});
  const TrackId track = collector.track("one", Direction::out, Width::unknown);
  collector.rate(track, kStart, 7, {});
  collector.nothing(track, kStart + 300s, {.file = "x", .line = 3});
  collector.rate(track, kStart + 610s, 9, {});
  const Loads loads = std::move(collector).finish().value();
  EXPECT_EQ(loads.tracks[0].loads.at(0), 7);
  EXPECT_FALSE(is_known(loads.tracks[0].loads.at(1)));
  EXPECT_EQ(loads.tracks[0].loads.at(2), 9);
  EXPECT_EQ(loads.anomalies[0].kind, AnomalyKind::no_value);
}

}  // namespace
}  // namespace ebb::counters
