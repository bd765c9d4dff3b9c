// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a transcript, and replays from values. Reading files is tested in libs/study/config.
#include "ebb/policy/transcript.hpp"

#include "ebb/policy/policy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace ebb::policy {
namespace {

using std::chrono::microseconds;

const TimePoint kAt{microseconds(10)};

TranscriptHeader header_of(const Made& made) {
  return {made.name, made.parameters, made.policy->sample_period()};
}

std::vector<ChannelSample> a_busy_link() {
  return {{.id = ChannelId{0},
           .reverse = ChannelId{1},
           .device = 7,
           .to_host = true,
           .tier = 2,
           .rate_levels = 5,
           .slowest = milliwatts(250),
           .full = watts(4),
           .window = microseconds(10),
           .busy = microseconds(9),
           .wake_stall = microseconds(2),
           .sent = bytes(1500),
           .queued = bits(64),
           .state = active(RateLevel{2})},
          {.id = ChannelId{1},
           .reverse = ChannelId{0},
           .rate_levels = 5,
           .window = microseconds(10),
           .state = changing(asleep(RateLevel{1}), kAt + microseconds(1))}};
}

// These bytes are the format: a change here is a change of the schema version.
TEST(TranscriptLines, AreStable) {
  EXPECT_EQ(to_line(header_of(*make_policy("epoch", {}))),
            R"({"kind":"header","schema_version":3,"policy":"epoch","parameters":[)"
            R"({"name":"target","value":"0.5"},{"name":"epoch","value":"10us"},)"
            R"({"name":"channels","value":"paired"},{"name":"moves","value":"step"},)"
            R"({"name":"bits","value":"0"},{"name":"stagger","value":"1"}],)"
            R"("sample_period_ps":10000000})");
  const std::vector<NextHopSet> next_hops = {{7, 1, {ChannelId{0}, ChannelId{2}}},
                                             {9, 7, {ChannelId{3}}}};
  EXPECT_EQ(to_line(next_hops),
            R"({"kind":"next_hops","next_hops":[{"device":7,"destination":1,"channels":[0,2]},)"
            R"({"device":9,"destination":7,"channels":[3]}]})");
  EXPECT_EQ(
      to_line(Sample{kAt, a_busy_link()}),
      R"({"kind":"sample","at_ps":10000000,"channels":[)"
      R"({"channel":0,"reverse":1,"device":7,"to_host":1,"tier":2,"rate_levels":5,)"
      R"("slowest_uw":250000,"full_uw":4000000,"window_ps":10000000,"busy_ps":9000000,)"
      R"("wake_stall_ps":2000000,"sent_bits":12000,"queued_bits":64,"mode":"active","rate_level":2},)"
      R"({"channel":1,"reverse":0,"device":0,"to_host":0,"tier":0,"rate_levels":5,)"
      R"("slowest_uw":0,"full_uw":0,"window_ps":10000000,"busy_ps":0,"wake_stall_ps":0,)"
      R"("sent_bits":0,"queued_bits":0,"mode":"asleep","rate_level":1,)"
      R"("changing_until_ps":11000000}]})");
  const std::vector<Action> actions = {
      {ChannelId{0}, SetRateLevel{RateLevel{3}}},
      {ChannelId{1}, Sleep{}},
      {ChannelId{2}, Wake{}},
      {ChannelId{3}, SleepWhenIdle{microseconds(1), bytes(1), microseconds(2)}},
      {ChannelId{4}, WakeWhenQueued{bits(9)}},
      {ChannelId{5}, SpeedUpWhenQueued{bits(9), RateLevel{4}}},
      {ChannelId{5}, SlowDownWhenIdle{Duration(3), RateLevel{1}}},
      {ChannelId{6}, WakeWhenAnnounced{Duration(5), true}},
      {ChannelId{6}, Disarm{}}};
  EXPECT_EQ(to_line(kAt, actions),
            R"({"kind":"actions","at_ps":10000000,"actions":[)"
            R"({"channel":0,"do":"set_rate_level","rate_level":3},{"channel":1,"do":"sleep"},)"
            R"({"channel":2,"do":"wake"},)"
            R"({"channel":3,"do":"sleep_when_idle","idle_ps":1000000,"wake_bits":8,)"
            R"("max_coalescing_delay_ps":2000000},)"
            R"({"channel":4,"do":"wake_when_queued","queued_bits":9},)"
            R"({"channel":5,"do":"speed_up_when_queued","queued_bits":9,"rate_level":4},)"
            R"({"channel":5,"do":"slow_down_when_idle","idle_ps":3,"rate_level":1},)"
            R"({"channel":6,"do":"wake_when_announced","hold_ps":5,"planned":1},)"
            R"({"channel":6,"do":"disarm"}]})");
  EXPECT_EQ(
      to_line(Outcome{actions[0], kAt, changing(active(RateLevel{3}), kAt), Reason::refused}),
      R"({"kind":"outcome","at_ps":10000000,"asked":{"channel":0,"do":"set_rate_level","rate_level":3},)"
      R"("applied":{"mode":"active","rate_level":3,"changing_until_ps":10000000},)"
      R"("reason":"refused"})");
}

TEST(TranscriptLines, EscapeWhatJsonDemands) {
  const std::string line = to_line(TranscriptHeader{"a\"b\\c\nd", {}, Duration(1)});
  EXPECT_NE(line.find(R"("a\"b\\c\u000ad")"), std::string::npos) << line;
}

TEST(Recorder, WritesWhatPassesThroughIt) {
  const auto made = make_policy("epoch", {{"channels", "independent"}});
  std::string text;
  Recorder recorder(header_of(*made), *made->policy, [&](std::string_view line) { text += line; });
  EXPECT_EQ(recorder.sample_period(), made->policy->sample_period());
  const auto channels = a_busy_link();
  const Sample sample{kAt, channels};
  const auto actions = recorder.decide(sample);
  EXPECT_EQ(actions, made->policy->decide(sample));
  const Outcome outcome{actions.at(0), kAt, active(RateLevel{3}), Reason::done};
  recorder.on_outcome(outcome);
  EXPECT_EQ(text, to_line(header_of(*made)) + "\n" + to_line(sample) + "\n" +
                      to_line(kAt, actions) + "\n" + to_line(outcome) + "\n");
}

// Sleeps the first channel of the first next-hop set.
class Student final : public Policy {
 public:
  [[nodiscard]] Duration sample_period() const override { return microseconds(10); }
  [[nodiscard]] bool needs_next_hops() const override { return true; }
  void set_next_hops(std::span<const NextHopSet> next_hops) override {
    next_hops_.assign(next_hops.begin(), next_hops.end());
  }
  [[nodiscard]] std::vector<Action> decide(const Sample& /*sample*/) override {
    if (next_hops_.empty()) return {};
    return {{next_hops_[0].channels[0], Sleep{}}};
  }

 private:
  std::vector<NextHopSet> next_hops_;
};

TEST(Recorder, PassesNextHopSetsOnAndAReplayToo) {
  const TranscriptHeader header{"student", {}, microseconds(10)};
  const std::vector<NextHopSet> next_hops = {{7, 1, {ChannelId{1}}}};
  Student student;
  std::string text;
  Recorder recorder(header, student, [&](std::string_view line) { text += line; });
  EXPECT_TRUE(recorder.needs_next_hops());
  recorder.set_next_hops(next_hops);
  EXPECT_EQ(text, to_line(header) + "\n" + to_line(next_hops) + "\n");
  const auto actions = recorder.decide({kAt, {}});
  EXPECT_EQ(actions, (std::vector<Action>{{ChannelId{1}, Sleep{}}}));

  const Transcript transcript{header,
                              {{2, RecordedNextHops{next_hops}},
                               {3, RecordedSample{kAt, {}}},
                               {4, RecordedActions{kAt, actions}}}};
  Student fresh;
  const auto report = replay(transcript, fresh);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->equal());
  Transcript without = transcript;
  without.records.erase(without.records.begin());
  Student other;
  EXPECT_FALSE(replay(without, other)->equal());
}

TEST(NextHops, AreChecked) {
  const std::vector<NextHopSet> next_hops = {{3, 1, {ChannelId{0}, ChannelId{2}}},
                                             {3, 1, {ChannelId{0}}},
                                             {3, 2, {ChannelId{2}}},
                                             {4, 9, {ChannelId{5}}}};
  EXPECT_TRUE(check(next_hops).empty());
  const auto refused = [&](auto spoil) {
    auto spoilt = next_hops;
    spoil(spoilt[2]);
    const Errors errors = check(spoilt);
    return errors.size() == 1 && errors[0].where.path == "next_hops[2]";
  };
  EXPECT_TRUE(refused([](NextHopSet& row) { row.channels.clear(); }));
  EXPECT_TRUE(refused([](NextHopSet& row) { row.channels = {ChannelId{2}, ChannelId{0}}; }));
  EXPECT_TRUE(refused([](NextHopSet& row) { row.channels = {ChannelId{2}, ChannelId{2}}; }));
  EXPECT_TRUE(refused([](NextHopSet& row) { row.destination = 0; }));
  EXPECT_TRUE(refused([](NextHopSet& row) { row.device = 4; }));  // channel 2 leaves device 3
}

Transcript one_decision() {
  const auto made = make_policy("epoch", {{"channels", "independent"}});
  return {header_of(*made),
          {{2, RecordedSample{kAt, a_busy_link()}},
           {3, RecordedActions{kAt, {{ChannelId{0}, SetRateLevel{RateLevel{3}}}}}},
           {4, Outcome{{ChannelId{0}, SetRateLevel{RateLevel{3}}}, kAt, {}, Reason::done}}}};
}

std::vector<Action>& actions_of(Transcript& transcript) {
  return std::get<RecordedActions>(transcript.records[1].what).actions;
}

TEST(Replay, CountsWhatWasEqual) {
  const auto report = replay(one_decision());
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->equal());
  EXPECT_EQ(report->samples, 1);
  EXPECT_EQ(report->actions, 1);
  EXPECT_EQ(report->outcomes, 1);
}

TEST(Replay, NamesTheFirstDifference) {
  Transcript transcript = one_decision();
  actions_of(transcript)[0].order = SetRateLevel{RateLevel{1}};
  const auto other = replay(transcript);
  ASSERT_TRUE(other && other->difference);
  EXPECT_EQ(to_text(*other->difference),
            R"(line 3, channel 0: recorded {"channel":0,"do":"set_rate_level","rate_level":1}, )"
            R"(replayed {"channel":0,"do":"set_rate_level","rate_level":3})");
  actions_of(transcript).clear();
  const auto missing = replay(transcript);
  ASSERT_TRUE(missing && missing->difference);
  EXPECT_EQ(missing->difference->recorded, "nothing");
  actions_of(transcript) = {{ChannelId{0}, SetRateLevel{RateLevel{3}}}, {ChannelId{1}, Wake{}}};
  const auto more = replay(transcript);
  ASSERT_TRUE(more && more->difference);
  EXPECT_EQ(more->difference->channel, ChannelId{1});
  EXPECT_EQ(more->difference->replayed, "nothing");
}

TEST(Replay, NoticesAnotherPeriod) {
  Transcript transcript = one_decision();
  const auto slower = make_policy("epoch", {{"epoch", "20us"}, {"channels", "independent"}});
  const auto report = replay(transcript, *slower->policy);
  ASSERT_TRUE(report && report->difference);
  EXPECT_EQ(report->difference->line, 1);
  EXPECT_EQ(report->difference->channel, std::nullopt);
}

TEST(Replay, RefusesATranscriptThatIsNotSound) {
  const auto message = [](const Transcript& transcript) {
    const auto report = replay(transcript);
    return report ? std::string() : to_string(report.error());
  };
  Transcript cut = one_decision();
  cut.records.resize(1);
  EXPECT_NE(message(cut).find("was cut"), std::string::npos);
  Transcript twice = one_decision();
  twice.records[1] = twice.records[0];
  EXPECT_NE(message(twice).find("followed by its actions"), std::string::npos);
  Transcript headless = one_decision();
  headless.records.erase(headless.records.begin());
  EXPECT_NE(message(headless).find("actions without a sample"), std::string::npos);
  EXPECT_NE(message(headless).find("before the first sample"), std::string::npos);
  Transcript late = one_decision();
  std::get<RecordedActions>(late.records[1].what).at += Duration(1);
  EXPECT_NE(message(late).find("another time"), std::string::npos);
  Transcript back = one_decision();
  back.records.push_back({5, RecordedSample{}});
  back.records.push_back({6, RecordedActions{}});
  EXPECT_NE(message(back).find("back in time"), std::string::npos);
  Transcript late_next_hops = one_decision();
  late_next_hops.records.push_back({5, RecordedNextHops{}});
  EXPECT_NE(message(late_next_hops).find("after the header"), std::string::npos);
  Transcript empty_set = one_decision();
  empty_set.records.insert(empty_set.records.begin(), {2, RecordedNextHops{{NextHopSet{}}}});
  EXPECT_NE(message(empty_set).find("next_hops[0]"), std::string::npos);
  Transcript unsound = one_decision();
  std::get<RecordedSample>(unsound.records[0].what).channels[0].busy = microseconds(11);
  EXPECT_NE(message(unsound).find("channels[0]"), std::string::npos);
  Transcript other = one_decision();
  other.header.policy = "epoc";
  EXPECT_NE(message(other).find("did you mean 'epoch'"), std::string::npos);
}

}  // namespace
}  // namespace ebb::policy
