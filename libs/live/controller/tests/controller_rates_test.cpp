// SPDX-License-Identifier: Apache-2.0
#include "triangle.hpp"

#include "ebb/controller/controller.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <utility>

namespace ebb::controller {
namespace {

using policy::RateLevel;
using policy::Reason;
using std::chrono::milliseconds;
using std::chrono::seconds;
using topology::ChannelId;
using topology::LinkId;

constexpr RateLevel kSlow{0};
constexpr RateLevel kMiddle{1};
constexpr RateLevel kFull{2};

// A triangle of 1, 10 and 100 Mb/s; s1-s2 may sleep. Switches
// carry out orders at once.
class Rates : public Triangle {
 protected:
  Rates() : Triangle({megabits_per_second(1), megabits_per_second(10), megabits_per_second(100)}) {
    make(RunMode::live);
  }

  void make(RunMode mode) {
    forwarding::SleepableLinks sleepable{
        std::vector<bool>(graph.link_count()),
        std::vector<std::vector<ChannelId>>(2 * std::size_t{graph.link_count()})};
    sleepable.may_sleep[index(topology::link_of(channel(1, 2)))] = true;
    sleepable.backup_channels[index(channel(1, 2))] = {channel(1, 0), channel(0, 2)};
    const ChannelFacts facts{.tier = 0,
                             .level_power = {milliwatts(1), milliwatts(2), milliwatts(3)}};
    controller = std::make_unique<Controller>(
        graph, walker, std::move(sleepable),
        std::vector<ChannelFacts>(2 * std::size_t{graph.link_count()}, facts),
        Safety{.min_decision_interval = milliseconds(100)}, policy, mode);
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) {
      controller->joined(now, s);
      controller->rates_at(s, true);
    }
    // A dry run sends no probes.
    for (std::uint32_t which = 0; which < graph.channel_count() && mode == RunMode::live; ++which)
      if (graph.connects_switches(ChannelId{which})) controller->probe_heard(now, ChannelId{which});
  }
  LinkId link() const { return topology::link_of(channel(0, 1)); }

  void pass(Duration time) {
    for (const TimePoint end = now + time; now < end;) {
      now += milliseconds(10);
      for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
        if (graph.is_host(graph.source(ChannelId{which}))) continue;
        sent[which] += flow[which] / 8;
        const PortCount count{
            .end = ChannelId{which}, .sent_bytes = sent[which], .sent_frames = sent[which] / 100};
        controller->counted(now, {&count, 1});
      }
      controller->tick(now);
      carry_out_orders();
    }
  }
  void carry_out_orders() {
    for (auto orders = controller->take_orders(); !orders.empty();
         orders = controller->take_orders()) {
      for (const Order& order : orders) {
        given.push_back(order);
        controller->answered(now, order, obedient, obedient ? "" : "no");
      }
    }
  }
  Reason ask(RateLevel step, std::initializer_list<ChannelId> channels) {
    for (const ChannelId one : channels)
      policy.next.push_back({policy::ChannelId{index(one)}, policy::SetRateLevel{step}});
    pass(milliseconds(100));
    return policy.outcomes.back().reason;
  }
  Reason ask_link(RateLevel step) { return ask(step, {channel(0, 1), channel(1, 0)}); }
  void send(ChannelId one, double megabits) {
    flow[index(one)] = static_cast<std::uint64_t>(megabits * 1e4);
  }
  RateLevel step() const { return controller->rate(link()).step(); }

  ScriptedPolicy policy;
  TimePoint now{seconds(10)};
  std::map<std::uint32_t, std::uint64_t> flow;
  std::map<std::uint32_t, std::uint64_t> sent;
  std::vector<Order> given;
  bool obedient = true;
  std::unique_ptr<Controller> controller;
};

TEST_F(Rates, OfALinkAreWhatThePolicyWants) {
  pass(seconds(3));
  EXPECT_EQ(ask_link(kSlow), Reason::done);
  EXPECT_EQ(step(), kSlow);
  EXPECT_EQ(given, (std::vector<Order>{SetRate{channel(0, 1), kSlow, 1},
                                       SetRate{channel(1, 0), kSlow, 1}}));
  const auto journal = controller->take_journal();
  ASSERT_EQ(journal.size(), 1U);
  EXPECT_EQ(journal[0].why, "at 1Mb/s: the policy asked");
  send(channel(0, 1), 0.5);
  pass(milliseconds(300));
  EXPECT_EQ(policy.seen[index(channel(0, 1))].state, policy::active(kSlow));
  EXPECT_NEAR(controller->utilisation(channel(0, 1)), 0.5, 0.05);
}

// As power-cap asks: slow unless something is sent.
TEST_F(Rates, FollowTheTriggersOfBothWays) {
  for (const ChannelId one : {channel(0, 1), channel(1, 0)}) {
    const policy::ChannelId id{index(one)};
    policy.next.push_back({id, policy::SpeedUpWhenQueued{bytes(1), kFull}});
    policy.next.push_back({id, policy::SlowDownWhenIdle{milliseconds(200), kSlow}});
  }
  send(channel(1, 0), 0.1);
  pass(seconds(4));
  for (const policy::Outcome& outcome : policy.outcomes) EXPECT_EQ(outcome.reason, Reason::done);
  EXPECT_EQ(step(), kFull) << "one way is not idle";
  send(channel(1, 0), 0);
  pass(milliseconds(400));
  EXPECT_EQ(step(), kSlow);
  EXPECT_EQ(controller->rate(link()).why(), "it is idle");
  send(channel(0, 1), 0.1);
  pass(milliseconds(20));
  EXPECT_EQ(step(), kFull) << "one way is enough, at once";
  EXPECT_EQ(controller->rate(link()).why(), "frames want it");
}

// A controller that has just begun knows no switch yet: that is no mistake of the file.
TEST_F(Rates, OfSwitchesThatAreAwayAreRefusedNotUnsupported) {
  pass(seconds(3));
  controller->left(now, 1);
  controller->rates_at(1, false);
  EXPECT_EQ(ask_link(kSlow), Reason::refused);
  controller->joined(now, 1);
  EXPECT_EQ(ask_link(kSlow), Reason::not_supported);
}

TEST_F(Rates, AreTheFasterOfTwoWishes) {
  pass(seconds(3));
  EXPECT_EQ(ask(kSlow, {channel(0, 1)}), Reason::refused);  // the other way is to stay as it is
  EXPECT_EQ(step(), kFull);
  policy.next.push_back({policy::ChannelId{index(channel(0, 1))}, policy::SetRateLevel{kSlow}});
  EXPECT_EQ(ask(kMiddle, {channel(1, 0)}), Reason::done);
  EXPECT_EQ(step(), kMiddle);
  EXPECT_EQ(ask(kFull, {channel(0, 1)}), Reason::done);  // one way is enough
  EXPECT_EQ(step(), kFull);
}

TEST_F(Rates, AreNeverTooSlowForWhatIsSent) {
  send(channel(1, 0), 6);
  pass(seconds(3));
  EXPECT_EQ(ask_link(kMiddle), Reason::refused);  // 60 %
  send(channel(1, 0), 4);
  pass(milliseconds(300));
  EXPECT_EQ(ask_link(kMiddle), Reason::done);
}

TEST_F(Rates, StayForAWhileBeforeTheyFallAgain) {
  pass(seconds(3));
  EXPECT_EQ(ask_link(kMiddle), Reason::done);
  EXPECT_EQ(ask_link(kSlow), Reason::refused);
  EXPECT_EQ(ask_link(kFull), Reason::done);  // never too early
  pass(seconds(1));
  EXPECT_EQ(ask_link(kSlow), Reason::done);
}

TEST_F(Rates, AreFullWhenSomethingFails) {
  pass(seconds(3));
  ASSERT_EQ(ask_link(kSlow), Reason::done);
  controller->port(now, channel(0, 2), false);
  carry_out_orders();
  EXPECT_EQ(step(), kFull);
  pass(seconds(2));
  EXPECT_EQ(ask_link(kSlow), Reason::refused);
}

TEST_F(Rates, AreFullWhenTheControllerGoes) {
  pass(seconds(3));
  ASSERT_EQ(ask_link(kSlow), Reason::done);
  obedient = false;
  controller->shut_down(now);
  carry_out_orders();
  EXPECT_FALSE(controller->all_at_full_rate());
  obedient = true;
  pass(seconds(2));
  EXPECT_TRUE(controller->all_at_full_rate());
}

TEST_F(Rates, OfADetourCountWhenALinkWouldSleep) {
  send(channel(1, 2), 4);
  pass(seconds(3));
  const LinkId spare = topology::link_of(channel(1, 2));
  EXPECT_FALSE(controller->objection(now, spare));
  ASSERT_EQ(ask_link(kSlow), Reason::done);
  EXPECT_EQ(controller->objection(now, spare), "s1 to s0 would be used 400 %");
}

TEST_F(Rates, AreNotSetWhereTheyCannotBe) {
  pass(seconds(3));
  controller->rates_at(1, false);
  EXPECT_EQ(ask_link(kSlow), Reason::not_supported);
  const ChannelId to_host = graph.outputs(graph.switch_node(0)).front();
  EXPECT_EQ(ask(kSlow, {to_host}), Reason::refused) << "the port of a host is never touched";
  EXPECT_TRUE(given.empty());
}

TEST_F(Rates, AreOnlySaidByADryRun) {
  make(RunMode::dry_run);
  pass(seconds(3));
  EXPECT_EQ(ask_link(kMiddle), Reason::refused);
  EXPECT_EQ(ask_link(kMiddle), Reason::refused);
  const auto journal = controller->take_journal();
  ASSERT_EQ(journal.size(), 1U);
  EXPECT_EQ(journal[0].why, "would run at 10Mb/s: the policy asked");
  EXPECT_TRUE(given.empty());
}

}  // namespace
}  // namespace ebb::controller
