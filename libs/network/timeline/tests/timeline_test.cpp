// SPDX-License-Identifier: Apache-2.0
#include "ebb/timeline/timeline.hpp"

#include "ebb/timeline/power_counter.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ebb::timeline {
namespace {

TimePoint at(std::int64_t ps) { return TimePoint(Duration(ps)); }

// The events of a Chrome trace that are not names of tracks.
std::vector<nlohmann::json> events_of(const std::string& text) {
  std::vector<nlohmann::json> events;
  const auto all = nlohmann::json::parse(text);
  for (const auto& event : all["traceEvents"])
    if (event["ph"] != "M") events.push_back(event);
  return events;
}

TEST(FormOf, IsSaidByTheEndingOfTheName) {
  EXPECT_EQ(form_of("a.pftrace"), Form::perfetto);
  EXPECT_EQ(form_of("a.perfetto-trace"), Form::perfetto);
  EXPECT_EQ(form_of("a.json"), Form::chrome);
  const auto other = form_of("a.csv");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().front().where.file, "a.csv");
  for (const char* ending : {".pftrace", ".json"})
    EXPECT_NE(other.error().front().message.find(ending), std::string::npos);
}

TEST(Chrome, HasTracksSlicesFlowsAndCounters) {
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = make_timeline(Form::chrome, out, {});
  const TrackId group = timeline->add_group("hosts");
  const TrackId first = timeline->add_track(group, "h \"0\"");
  const TrackId watts = timeline->add_counter(group, "total", "W");
  timeline->add(Slice{first, at(1'234'567), at(2'234'568), "to h1", {Flow::End::begin, 255}});
  timeline->add(CounterValue{watts, 1'002, 2'000'000'003});
  ASSERT_TRUE(timeline->finish());
  const auto all = nlohmann::json::parse(out->str());
  EXPECT_EQ(all["traceEvents"][2]["args"]["name"], "h \"0\"");
  const auto events = events_of(out->str());
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0]["ts"], 1.234567);
  EXPECT_EQ(events[0]["dur"], 1.000001);
  EXPECT_EQ(events[0]["bind_id"], "0xff");
  EXPECT_EQ(events[0]["flow_out"], true);
  EXPECT_EQ(events[1]["ts"], 1.002);
  EXPECT_EQ(events[1]["args"]["W"], 2.000000003);
  EXPECT_EQ(timeline->events(), 2U);
}

// Byte by byte: a packet with the name of the event, then one without.
TEST(Perfetto, WritesANameOnce) {
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = make_timeline(Form::perfetto, out, {});
  const TrackId track = timeline->add_track(timeline->add_group("links"), "s0 to s1");
  timeline->add(Slice{track, at(0), at(300'000), "asleep"});
  timeline->add(Slice{track, at(300'000), at(300'999), "asleep"});
  ASSERT_TRUE(timeline->finish());
  const std::string text = out->str();
  const std::string named(
      "\x0a\x1c\x62\x0c\x12\x0a\x08\x01\x12\x06"
      "asleep"
      "\x40\x00\x50\x01\x68\x02\x5a\x06\x48\x01\x58\x02\x50\x01",
      30);
  const std::string ended("\x0a\x0d\x40\xac\x02\x50\x01\x68\x02\x5a\x04\x48\x02\x58\x02", 15);
  EXPECT_NE(text.find(named), std::string::npos);
  EXPECT_NE(text.find(ended), std::string::npos);
  EXPECT_EQ(text.find("asleep"), text.rfind("asleep"));
}

// Fields 47 and 48 of an event, which are 64 bits of fixed length.
TEST(Perfetto, TellsTheBeginOfAFlowFromItsEnd) {
  const auto written = [](Flow::End end) {
    const auto out = std::make_shared<std::ostringstream>();
    const auto timeline = make_timeline(Form::perfetto, out, {});
    const TrackId track = timeline->add_track(timeline->add_group("hosts"), "h0");
    timeline->add(Slice{track, at(0), at(1'000), "to h1", {end, 5}});
    EXPECT_TRUE(timeline->finish());
    return out->str();
  };
  const std::string begins("\xf9\x02\x05\0\0\0\0\0\0\0", 10);
  const std::string ends("\x81\x03\x05\0\0\0\0\0\0\0", 10);
  EXPECT_NE(written(Flow::End::begin).find(begins), std::string::npos);
  EXPECT_EQ(written(Flow::End::begin).find(ends), std::string::npos);
  EXPECT_NE(written(Flow::End::end).find(ends), std::string::npos);
  EXPECT_EQ(written(Flow::End::end).find(begins), std::string::npos);
}

TEST(Timeline, TracksStandWhereTheyAreTold) {
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = make_timeline(Form::chrome, out, {});
  const TrackId group = timeline->add_group("hosts");
  static_cast<void>(timeline->add_track(group, "last", 7));
  static_cast<void>(timeline->add_track(group, "as added"));
  ASSERT_TRUE(timeline->finish());
  const auto all = nlohmann::json::parse(out->str());
  std::vector<int> places;
  for (const auto& event : all["traceEvents"])
    if (event["name"] == "thread_sort_index") places.push_back(event["args"]["sort_index"]);
  EXPECT_EQ(places, (std::vector<int>{7, 2}));
}

TEST(Timeline, IsCutWhenItIsFull) {
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = make_timeline(Form::chrome, out, {.most_events = 1});
  const TrackId track = timeline->add_track(timeline->add_group("links"), "s0 to s1");
  EXPECT_FALSE(timeline->full());
  timeline->add(Slice{track, at(0), at(5'000'000), "asleep"});
  EXPECT_TRUE(timeline->full());
  timeline->cut(track, at(5'000'000));
  EXPECT_EQ(timeline->cut_at(), at(5'000'000));
  ASSERT_TRUE(timeline->finish());
  EXPECT_EQ(events_of(out->str()).back()["name"],
            "the timeline ends here: it has 1 events, and may have 1");
}

// Nanowatts times nanoseconds, which are attojoules, of the values up to `end_ns`.
std::int64_t integral(const std::vector<nlohmann::json>& events, std::int64_t end_ns) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto ns = [&](std::size_t k) {
      return k == events.size() ? end_ns : std::llround(events[k]["ts"].get<double>() * 1e3);
    };
    sum += std::llround(events[i]["args"]["W"].get<double>() * 1e9) * (ns(i + 1) - ns(i));
  }
  return sum;
}

TEST(PowerCounter, HasTheEnergyAsItsIntegral) {
  const auto out = std::make_shared<std::ostringstream>();
  const auto timeline = make_timeline(Form::chrome, out, {});
  const TrackId track = timeline->add_counter(timeline->add_group("power"), "total", "W");
  PowerCounter counter(*timeline, track, at(0), microwatts(7));
  Energy energy;
  Power power = microwatts(7);
  std::int64_t last = 0;
  const auto change = [&](std::int64_t when, std::int64_t by) {
    energy += power * Duration(when - last);
    power += microwatts(by);
    last = when;
    counter.change(at(when), microwatts(by));
  };
  for (const std::int64_t when :
       {0, 1, 999, 1'000, 1'000, 1'001, 2'000, 5'500, 5'501, 7'000, 9'999})
    change(when, when % 3 == 0 ? 1'000'003 : 11);
  energy += power * Duration(12'000 - last);
  counter.finish(at(12'000));
  ASSERT_TRUE(timeline->finish());
  EXPECT_EQ(integral(events_of(out->str()), 12), static_cast<std::int64_t>(energy.count()));
}

}  // namespace
}  // namespace ebb::timeline
