// SPDX-License-Identifier: Apache-2.0
//
// A policy that decides in another thread: it is asked and answers, it fails, it takes too long;
// and what the controller makes of that, with switches that speak OpenFlow over TCP.
#include "ebb/runtime/decision_queue.hpp"

#include "running_controller.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ebb::runtime {
namespace {

using namespace std::chrono_literals;

PolicyTraits traits() {
  return {.name = "Mine", .sample_period = 500ms, .acts_by = {policy::Ability::sleep}};
}

policy::Action sleep_of(std::uint32_t channel) {
  return {policy::ChannelId{channel}, policy::Sleep{}};
}

// Answers one question after the other with `reply`, until the queue is closed.
template <class Reply>
std::thread deciding(DecisionQueue& queue, Reply reply) {
  return std::thread([&queue, reply] {
    while (!queue.is_closed())
      if (auto question = queue.wait(20ms)) reply(*question);
  });
}

TEST(DecisionQueue, AsksTheOtherThreadAndTellsItOutcomesWithTheNextQuestion) {
  DecisionQueue queue(traits());
  std::vector<Question> seen;
  std::thread other = deciding(queue, [&](const Question& question) {
    seen.push_back(question);
    queue.answer(question, {sleep_of(3)});
  });
  const policy::Made made = queue.make_policy();
  EXPECT_EQ(made.name, "Mine");
  EXPECT_EQ(made.policy->sample_period(), Duration(500ms));
  const std::vector<policy::ChannelSample> channels(4);
  const std::vector<policy::Action> wanted = {sleep_of(3)};
  EXPECT_EQ(made.policy->decide({TimePoint(1s), channels}), wanted);
  made.policy->on_outcome({.asked = sleep_of(3)});
  EXPECT_EQ(made.policy->decide({TimePoint(2s), channels}), wanted);
  EXPECT_EQ(queue.make_policy().policy->decide({TimePoint(3s), channels}), wanted);
  queue.close();
  other.join();
  ASSERT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen[0].at, TimePoint(1s));
  EXPECT_EQ(seen[0].channels, channels);
  EXPECT_TRUE(seen[0].outcomes.empty());
  EXPECT_EQ(seen[1].outcomes.size(), 1U);
  EXPECT_EQ(seen[0].session, seen[1].session);
  EXPECT_NE(seen[1].session, seen[2].session) << "a policy of another session is a fresh one";
  EXPECT_FALSE(made.policy->failure());
}

TEST(DecisionQueue, FailsWhenTheOtherThreadSaysSo) {
  DecisionQueue queue(traits());
  std::thread other =
      deciding(queue, [&](const Question& question) { queue.fail(question, "no idea"); });
  const policy::Made made = queue.make_policy();
  EXPECT_TRUE(made.policy->decide({}).empty());
  EXPECT_EQ(made.policy->failure(), "no idea");
  queue.close();
  other.join();
}

TEST(DecisionQueue, FailsWhenADecisionTakesTooLongAndDropsTheLateAnswer) {
  DecisionQueue queue(traits(), 50ms);
  const policy::Made made = queue.make_policy();
  std::thread other = deciding(queue, [&](const Question& question) {
    std::this_thread::sleep_for(200ms);
    queue.answer(question, {sleep_of(1)});
  });
  EXPECT_TRUE(made.policy->decide({}).empty());
  EXPECT_EQ(made.policy->failure(), "it has not decided within 50 ms");
  EXPECT_TRUE(made.policy->decide({}).empty()) << "it is asked no more";
  EXPECT_TRUE(queue.given_up());
  queue.close();
  other.join();
}

// s1-s2 of the triangle sleeps by the policy, until the policy fails.
class ATriangleOfAnotherThread : public ::testing::Test {
 protected:
  void TearDown() override {
    queue_.close();
    other_.join();
  }

  template <class Reply>
  void check(Reply reply, const std::string& why) {
    other_ = deciding(queue_, [this, reply](const Question& question) {
      if (fails_) return reply(queue_, question);
      std::vector<policy::Action> actions;
      for (const policy::ChannelSample& one : question.channels) {
        const bool awake = one.state.mode != policy::Mode::asleep && !one.state.changing;
        if (awake) actions.push_back(sleep_of(policy::index(one.id)));
      }
      queue_.answer(question, std::move(actions));
    });
    RunningController running(kTriangle, {}, [this] { return queue_.make_policy(); });
    ASSERT_TRUE(running.connect_switches());
    ASSERT_TRUE(running.wait_until([&] { return running.state_of("s1-s2") == "asleep"; }))
        << running.said();
    fails_ = true;
    ASSERT_TRUE(running.wait_until([&] { return running.state_of("s1-s2") == "active"; }))
        << running.said();
    EXPECT_TRUE(running.has_said("ALARM: the policy has failed")) << running.said();
    EXPECT_TRUE(running.has_said(why)) << running.said();
    EXPECT_TRUE(
        running.wait_until([&] { return running.status()["problems"].contains("policy"); }));
    std::this_thread::sleep_for(1s);  // the policy would have decided twice
    EXPECT_EQ(running.state_of("s1-s2"), "active") << "it stays awake";
    EXPECT_TRUE(running.all_here()) << "no switch was lost over it";
    EXPECT_EQ(running.stop().kind, RunEnd::Kind::done);
  }

  DecisionQueue queue_{traits()};
  std::atomic<bool> fails_ = false;
  std::thread other_;
};

TEST_F(ATriangleOfAnotherThread, IsWokenWhenThePolicyFails) {
  check([](DecisionQueue& queue, const Question& question) { queue.fail(question, "no idea"); },
        "no idea");
}

TEST_F(ATriangleOfAnotherThread, IsWokenWhenThePolicyTakesTooLong) {
  check([](DecisionQueue&, const Question&) { std::this_thread::sleep_for(3s); },
        "has not decided within 1000 ms");
}

void expect_refused(const PolicyTraits& wrong, const std::string& why) {
  DecisionQueue queue(wrong);
  RunningController running(kTriangle, {}, [&] { return queue.make_policy(); });
  const RunEnd end = running.end();
  EXPECT_EQ(end.kind, RunEnd::Kind::bad_input);
  EXPECT_NE(to_string(end.errors).find(why), std::string::npos) << to_string(end.errors);
}

// As policies of C++ are: what they ask for must be possible here.
TEST(APolicyOfAnotherThread, IsRefusedWhereItCannotAct) {
  const auto deciding_by = [](policy::Ability ability) {
    return PolicyTraits{.name = "Mine", .sample_period = 500ms, .acts_by = {ability}};
  };
  expect_refused(deciding_by(policy::Ability::set_rate), "'Mine' can change nothing here");
  PolicyTraits wrong = deciding_by(policy::Ability::sleep);
  wrong.sample_period = 10us;
  expect_refused(wrong, "'Mine' decides every 10us, but safety.min_decision_interval is 500ms");
  wrong = deciding_by(policy::Ability::sleep_when_idle);
  expect_refused(wrong, "'Mine' lets links save power by themselves, and does not say");
  wrong.shortest_idle = 1ms;
  expect_refused(wrong, "'Mine' lets links save power after 1ms idle");
  wrong = deciding_by(policy::Ability::sleep);
  wrong.needs_next_hops = true;
  expect_refused(wrong, "'Mine' needs the next-hop sets");
}

}  // namespace
}  // namespace ebb::runtime
