// SPDX-License-Identifier: Apache-2.0
#include "ebb/runtime/audit_timeline.hpp"

#include "support/corpus.hpp"

#include "ebb/fabric_config/fabric_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace ebb::runtime {
namespace {

class AnAuditTimeline : public testing::Test {
 protected:
  void say(int second, const std::string& rest) {
    timeline_.add(fmt::format(R"({{"time":"2026-11-15T21:00:{:02}.500Z",{}}})", second, rest),
                  {"audit.jsonl", ++line_, 0, {}});
  }
  void order(int second, const std::string& device, const std::string& does) {
    say(second,
        fmt::format(R"("event":"order","switch":"{}","link":"s0-s1","does":"{}")", device, does));
  }
  void answer(int second, const std::string& device, const std::string& does, bool ok = true) {
    say(second, fmt::format(R"("event":"answer","switch":"{}","link":"s0-s1","does":"{}","ok":{})",
                            device, does, ok));
  }
  // To both ends, done at once.
  void both(int second, const std::string& does) {
    for (const char* device : {"s0", "s1"}) {
      order(second, device, does);
      answer(second, device, does);
    }
  }
  nlohmann::json written() {
    EXPECT_TRUE(out_->finish());
    return nlohmann::json::parse(text_->str())["traceEvents"];
  }
  // (name, begin, end) in seconds, of a track.
  using Slices = std::vector<std::tuple<std::string, int, int>>;
  static Slices slices_of(const nlohmann::json& events, const std::string& track) {
    Slices slices;
    nlohmann::json thread;
    for (const auto& event : events) {
      if (event["ph"] == "M" && event["args"].value("name", "") == track) thread = event["tid"];
      if (event["ph"] != "X" || event["tid"] != thread) continue;
      const double begin = event["ts"].get<double>() / 1e6;
      slices.emplace_back(event["name"], std::lround(begin),
                          std::lround(begin + event["dur"].get<double>() / 1e6));
    }
    return slices;
  }

  fabric_config::FabricFile file_ =
      fabric_config::read_fabric_text(
          "schema_version: 1\nname: three\ntopology: {family: complete, switches: 3, hosts: 1}\n",
          "fabric.yaml")
          .value();
  std::shared_ptr<std::ostringstream> text_ = std::make_shared<std::ostringstream>();
  std::unique_ptr<timeline::Timeline> out_ =
      timeline::make_timeline(timeline::Form::chrome, text_, {});
  AuditTimeline timeline_{file_, {.awake = watts(5), .asleep = watts(1)}, *out_};
  int line_ = 0;
};

TEST_F(AnAuditTimeline, HasStatesAndWattsOfALinkThatSleeps) {
  say(0, R"("event":"began","policy":"stages")");
  both(2, "detour");
  order(4, "s0", "port_down");
  order(4, "s1", "port_down");
  answer(4, "s0", "port_down");
  answer(5, "s1", "port_down");
  both(9, "port_up");
  both(10, "primary");
  say(12, R"("event":"ended","links_asleep":0)");
  EXPECT_TRUE(timeline_.finish().empty());
  const auto events = written();
  EXPECT_EQ(slices_of(events, "s0-s1"), (Slices{{"active", 0, 2},
                                                {"draining", 2, 5},
                                                {"asleep", 5, 9},
                                                {"waking", 9, 10},
                                                {"active", 10, 12}}));
  EXPECT_EQ(slices_of(events, "s0-s2"), (Slices{{"active", 0, 12}}));
  EXPECT_EQ(slices_of(events, "policy"), (Slices{{"stages", 0, 12}}));
  std::vector<std::pair<double, double>> watts;
  for (const auto& event : events)
    if (event["ph"] == "C") watts.emplace_back(event["ts"], event["args"]["W"]);
  // Six ports of 5 W, of which two sleep for four seconds.
  EXPECT_EQ(watts, (std::vector<std::pair<double, double>>{{0, 30}, {5e6, 22}, {9e6, 30}}));
}

TEST_F(AnAuditTimeline, DoesNotSleepByOrdersThatFail) {
  both(0, "detour");
  answer(1, "s0", "port_down", false);
  answer(1, "s1", "port_down");
  both(2, "primary");
  both(3, "port_up");
  say(4, R"("event":"ended")");
  EXPECT_TRUE(timeline_.finish().empty());
  EXPECT_EQ(slices_of(written(), "s0-s1"), (Slices{{"draining", 0, 3}, {"active", 3, 4}}));
}

TEST_F(AnAuditTimeline, SaysWhatItLeavesOut) {
  say(0, R"("event":"began")");
  timeline_.add("{\"time\":\"2026-11-15T21:0", {"audit.jsonl", ++line_, 0, {}});
  timeline_.add("[]", {"audit.jsonl", ++line_, 0, {}});
  say(7, R"("event":"order","switch":"s0","link":"s0-s9","does":"detour")");
  say(3, R"("event":"operator")");
  const Errors repairs = timeline_.finish();
  ASSERT_EQ(repairs.size(), 3U);
  EXPECT_EQ(to_string(repairs[0]),
            "audit.jsonl:2: error: 2 lines, of which this is the first: no line of an audit trail, "
            "left out");
  EXPECT_EQ(repairs[1].where.line, 4);
  EXPECT_EQ(repairs[2].where.line, 5);
}

// In picoseconds, years before the first line would not be a number of 64 bits.
TEST_F(AnAuditTimeline, MovesALineOfAnotherCenturyToTheTimeOfTheLineBefore) {
  say(0, R"("event":"began","policy":"stages")");
  timeline_.add(R"({"time":"1971-01-01T00:00:00.000Z","event":"operator"})", {"audit.jsonl", 2});
  say(4, R"("event":"ended")");
  const Errors repairs = timeline_.finish();
  ASSERT_EQ(repairs.size(), 1U);
  EXPECT_NE(repairs[0].message.find("is earlier than the line before"), std::string::npos);
  EXPECT_EQ(slices_of(written(), "policy"), (Slices{{"stages", 0, 4}}));
}

TEST(AnAuditLine, HasATimeThatNanosecondsCanCount) {
  const auto time_of = [](const std::string& time) {
    return time_of_audit_line(R"({"time":")" + time + R"("})");
  };
  EXPECT_EQ(time_of("1970-01-02T00:00:00.001Z"), 86'400'001'000'000);
  EXPECT_GT(time_of("2261-12-31T23:59:59.999Z"), 0);
  for (const char* year : {"1969", "2262", "9999", "-999"})
    EXPECT_FALSE(time_of(year + std::string("-06-01T00:00:00.000Z"))) << year;
}

TEST(Corpus, AuditTrailsAreAnswered) {
  const auto replay = [](const std::string& text) {
    const auto file = fabric_config::read_fabric_text(
        "schema_version: 1\nname: three\ntopology: {family: complete, switches: 3, hosts: 1}\n",
        "fabric.yaml");
    const auto written = std::make_shared<std::ostringstream>();
    const auto out = timeline::make_timeline(timeline::Form::chrome, written, {});
    AuditTimeline timeline(file.value(), {.awake = watts(5), .asleep = watts(1)}, *out);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) timeline.add(line, {"audit.jsonl"});
    const bool is_whole = timeline.finish().empty();
    EXPECT_TRUE(out->finish());
    EXPECT_FALSE(nlohmann::json::parse(written->str()).empty());
    return is_whole;
  };
  EXPECT_GE(test::replay_corpus("audit", replay), 1);
}

}  // namespace
}  // namespace ebb::runtime
