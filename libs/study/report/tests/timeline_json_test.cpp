// SPDX-License-Identifier: Apache-2.0
#include "../src/document.hpp"
#include "support/corpus.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

namespace ebb::report {
namespace {

const std::string kHead =
    "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"format\":\"ebb-timeline 1\"},"
    "\"traceEvents\":[\n";
const std::string kTrack =
    "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"channels\"}},\n"
    "{\"ph\":\"M\",\"pid\":1,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":\"s0 to "
    "s1\"}},\n";

std::string slice(const std::string& begin, const std::string& rest = "") {
  return R"({"ph":"X","pid":1,"tid":2,"dur":1.0,"name":"asleep","ts":)" + begin + rest + "},\n";
}

Result<Json> read(const std::string& text, std::size_t most_events = 100) {
  std::istringstream file(text);
  return timeline_json(file, "run.json", most_events);
}

std::string refused(const std::string& events) {
  const auto timeline = read(kHead + events + "]}\n");
  return timeline ? "" : to_string(timeline.error().front());
}

TEST(TimelineJson, HasTracksInTheirPlaces) {
  const std::string place =
      R"({"ph":"M","pid":1,"tid":2,"name":"thread_sort_index","args":{"sort_index":9}},)"
      "\n"
      R"({"ph":"M","pid":1,"tid":3,"name":"thread_name","args":{"name":"s1 to s0"}},)"
      "\n";
  const Json timeline =
      read(kHead + kTrack + place + slice("1.5", R"(,"bind_id":"0x1f")") + "]}\n").value();
  EXPECT_EQ(timeline["events"], 1);
  EXPECT_EQ(timeline["end_ns"], 2500);
  const Json& tracks = timeline["groups"][0]["tracks"];
  ASSERT_EQ(tracks.size(), 2U);
  EXPECT_EQ(tracks[0]["name"], "s1 to s0");
  EXPECT_EQ(tracks[1]["slices"], (Json{1500.0, 1000.0, 0}));
  EXPECT_EQ(tracks[1]["flows"], (Json{0, 31}));
}

// Also of times before the beginning.
TEST(TimelineJson, ShowsEventsThatBeginFirst) {
  const std::string text = kHead + kTrack + slice("-3.0") + slice("4.0") + slice("-2.0") + "]}\n";
  const Json timeline = read(text, 1).value();
  EXPECT_EQ(timeline["events_shown"], 1);
  EXPECT_EQ(timeline["shown_until_ns"], -2000);
  EXPECT_EQ(timeline["groups"][0]["tracks"][0]["slices"][0], -3000);
  EXPECT_TRUE(read(text, 3).value()["shown_until_ns"].is_null());
}

TEST(TimelineJson, RefusesWhatThePageCannotDraw) {
  for (const auto& [events, message] : std::vector<std::pair<std::string, std::string>>{
           {slice("1"), "run.json:2: "},
           {kTrack + slice("1e306"),
            "run.json:4: error: this is no timeline of ebb in Chrome's "
            "form (.json): a time is too large"},
           {kTrack + slice("\"1\""), "run.json:4: "},
           {R"({"ph":"M","pid":1e300,"name":"process_name","args":{"name":"a"}})"
            "\n",
            "pid is a whole number"},
           {R"({"ph":"M","pid":1,"tid":7,"name":"thread_sort_index","args":{"sort_index":1}})"
            "\n",
            "run.json:2: "},
           {"7\n", "no event"}})
    EXPECT_NE(refused(events).find(message), std::string::npos) << events << refused(events);
  EXPECT_NE(to_string(read(kHead + kTrack).error().front()).find("cut off"), std::string::npos);
  EXPECT_FALSE(read("{}\n").has_value());
  std::string nested = kHead;
  nested.insert(nested.find("},\"trace"), ",\"began_unix_ns\":[[]]");
  EXPECT_NE(to_string(read(nested + "]}\n").error().front()).find("began_unix_ns"),
            std::string::npos);
}

TEST(Corpus, TimelinesAreAnswered) {
  const auto replay = [](const std::string& text) {
    const auto timeline = read(text, 4);
    if (!timeline) return false;
    EXPECT_EQ(Json::parse(timeline->dump()), *timeline);
    return true;
  };
  EXPECT_GE(test::replay_corpus("timeline", replay), 1);
}

}  // namespace
}  // namespace ebb::report
