// SPDX-License-Identifier: Apache-2.0
// The registry, the parameters, the samples, and what every policy must do.

#include "ebb/policy/policy.hpp"
#include "ebb/units/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace ebb::policy {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// A link of two directions, numbered 2n and 2n+1.
std::vector<ChannelSample> link(std::uint32_t first, State a, State b) {
  return {{.id = ChannelId{first}, .reverse = ChannelId{first + 1}, .rate_levels = 5, .state = a},
          {.id = ChannelId{first + 1}, .reverse = ChannelId{first}, .rate_levels = 5, .state = b}};
}

TEST(Registry, NamesAreUniqueAndEveryPolicyIsMadeFromItsFallbacks) {
  std::set<std::string> names;
  for (const Entry& entry : policies()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_FALSE(entry.summary.empty());
    const auto made = make_policy(entry.name, {});
    ASSERT_TRUE(made);
    EXPECT_GT(made->policy->sample_period(), Duration::zero());
    // What it resolved to makes the same policy again.
    const auto again = make_policy(entry.name, made->parameters);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->parameters, made->parameters);
    for (const Parameter& parameter : entry.parameters)
      EXPECT_FALSE(allowed_text(parameter).empty());
  }
}

// Only always-on saves nothing, and can do that in every network.
TEST(Registry, EveryPolicyButAlwaysOnSaysByWhatItActs) {
  for (const Entry& entry : policies()) {
    SCOPED_TRACE(entry.name);
    const auto made = make_policy(entry.name, {});
    ASSERT_TRUE(made);
    EXPECT_EQ(made->policy->acts_by().empty(), entry.name == "always-on");
    EXPECT_EQ(can_act(*made->policy, {}), entry.name == "always-on");
    for (const Ability one : made->policy->acts_by())
      EXPECT_TRUE(can_act(*made->policy, {one})) << to_text(one);
  }
}

// The same policy acts by another ability when its parameters say so.
TEST(Registry, WhatAPolicyActsByFollowsItsParameters) {
  for (const char* name : {"on-demand", "history", "latency-budget"}) {
    SCOPED_TRACE(name);
    const auto sleeps = make_policy(name, {});
    const auto slows = make_policy(name, {{"low_power_state", "slowest"}});
    ASSERT_TRUE(sleeps && slows);
    EXPECT_EQ(sleeps->policy->acts_by(), Abilities{Ability::sleep_when_idle});
    EXPECT_EQ(slows->policy->acts_by(), Abilities{Ability::slow_when_idle});
  }
}

// The table that `ebb list policies` prints, cell by cell.
TEST(Worlds, RunThePoliciesThatTheyCanCarryOut) {
  const auto where = [](const std::string& policy, const ParameterTexts& parameters = {}) {
    const auto made = make_policy(policy, parameters);
    std::string names;
    for (const PolicyWorld& world : worlds()) {
      if (can_run(*made->policy, world)) names += (names.empty() ? "" : " ") + world.name;
    }
    return names;
  };
  const std::string everywhere = "simulator testbed openflow snmp gnmi";
  const std::string with_rates = "simulator testbed snmp gnmi";
  for (const char* name : {"always-on", "stages", "consolidate", "periodic", "perf-bound"})
    EXPECT_EQ(where(name), everywhere) << name;
  for (const char* name : {"always-slowest", "epoch", "dvs"})
    EXPECT_EQ(where(name), with_rates) << name;
  for (const char* name : {"on-demand", "latency-budget", "history"}) {
    EXPECT_EQ(where(name), everywhere) << name;
    EXPECT_EQ(where(name, {{"low_power_state", "slowest"}}), with_rates) << name;
  }
  EXPECT_EQ(where("power-cap"), "simulator") << "a live link has one rate both ways";
  EXPECT_EQ(where("power-cap", {{"channels", "paired"}}), with_rates);
  EXPECT_EQ(where("elastic"), "simulator") << "a live link sleeps in both directions";
  EXPECT_EQ(where("elastic", {{"channels", "paired"}}), everywhere);
  for (const char* name : {"shutdown", "dvs-shutdown"})
    EXPECT_EQ(where(name), "simulator") << name << " closes each direction for itself";
  for (const char* name : {"wake-ahead", "scheduled"})
    EXPECT_EQ(where(name), "simulator") << name << " needs hosts that announce their messages";
  EXPECT_EQ(policies().size(), 17U) << "a new policy has a row here";
}

TEST(Registry, NamesTheNearestPolicy) {
  const auto made = make_policy("epok", {});
  ASSERT_FALSE(made);
  EXPECT_NE(to_string(made.error()).find("did you mean 'epoch'"), std::string::npos);
}

TEST(Registry, ReportsEveryMistakeOfTheParameters) {
  const auto made = make_policy("epoch", {{"target", "150%"},
                                          {"epoch", "10"},
                                          {"chanels", "paired"},
                                          {"channels", "coupled"},
                                          {"channels", "paired"}});
  ASSERT_FALSE(made);
  const std::string text = to_string(made.error());
  EXPECT_EQ(made.error().size(), 5U) << text;
  for (const char* part : {"'target' must be between", "'epoch':", "did you mean 'channels'",
                           "unknown word 'coupled'", "'channels' is given twice"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Registry, ParametersArePrintedInOneForm) {
  const auto made = make_policy("epoch", {{"epoch", "10000ns"}, {"target", "0.5"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->parameters, (ParameterTexts{{"target", to_text(Ratio(1, 2))},
                                              {"epoch", "10us"},
                                              {"channels", "paired"},
                                              {"moves", "step"},
                                              {"bits", "0"},
                                              {"stagger", "1"}}));
}

TEST(Samples, AreChecked) {
  auto channels = link(0, active(RateLevel{4}), active(RateLevel{0}));
  EXPECT_TRUE(check({TimePoint{}, channels}).empty());
  EXPECT_EQ(find({TimePoint{}, channels}, ChannelId{1}), 1U);
  EXPECT_EQ(find({TimePoint{}, channels}, ChannelId{7}), std::nullopt);

  const auto refused = [&](auto spoil) {
    auto spoilt = channels;
    spoil(spoilt);
    const Errors errors = check({TimePoint{}, spoilt});
    return errors.size() == 1 && errors[0].where.path == "channels[1]";
  };
  EXPECT_TRUE(refused([](auto& c) { c[1].state.rate_level = RateLevel{5}; }));
  EXPECT_TRUE(refused([](auto& c) { c[1].rate_levels = 0; }));
  EXPECT_TRUE(refused([](auto& c) { c[1].busy = Duration(1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].busy = Duration(-1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].wake_stall = Duration(-1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].slowest = watts(-1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].slowest = watts(1); }));  // and 0 at full rate
  EXPECT_TRUE(refused([](auto& c) { c[1].sent = bits(-1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].queued = bits(-1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].id = ChannelId{0}; }));
  EXPECT_TRUE(refused([](auto& c) { c[1].state.until = TimePoint(Duration(1)); }));
  EXPECT_TRUE(refused([](auto& c) { c[0].reverse = ChannelId{0}; }));  // 1 still names 0
}

TEST(EveryPolicy, LeavesChangingChannelsAloneAndOrdersItsActions) {
  const TimePoint soon{microseconds(20)};
  std::vector<ChannelSample> channels;
  for (std::uint32_t first = 0; first < 40; first += 2) {
    const State state = first % 4 == 0   ? changing(active(RateLevel{1}), soon)
                        : first % 8 == 2 ? asleep(RateLevel{3})
                                         : active(RateLevel{2});
    for (ChannelSample& channel : link(first, state, state)) {
      channel.window = microseconds(10);
      channel.busy = microseconds(first % 10);
      channel.sent = bytes(first);
      channel.tier = 1;
      channel.full = watts(4);
      channels.push_back(channel);
    }
  }
  const Sample sample{TimePoint(microseconds(10)), channels};
  ASSERT_TRUE(check(sample).empty());
  std::vector<NextHopSet> next_hops;  // both directions of a link stand in for each other
  for (std::uint32_t first = 0; first < 40; first += 2)
    next_hops.push_back({first, 0, {ChannelId{first}, ChannelId{first + 1}}});
  for (const Entry& entry : policies()) {
    SCOPED_TRACE(entry.name);
    const auto made = make_policy(entry.name, {});
    if (made->policy->needs_next_hops()) made->policy->set_next_hops(next_hops);
    const auto actions = made->policy->decide(sample);
    // There are no hosts here, hence no leaves: elastic_test.cpp looks at its actions.
    EXPECT_EQ(actions.empty(), entry.name == "elastic");
    EXPECT_TRUE(std::is_sorted(actions.begin(), actions.end(),
                               [](const auto& a, const auto& b) { return a.channel < b.channel; }));
    for (const Action& action : actions) {
      EXPECT_FALSE(channels[index(action.channel)].state.changing) << index(action.channel);
      EXPECT_TRUE(may_give(made->policy->acts_by(), action.order)) << action.order.index();
    }
  }
}

TEST(EveryPolicy, IsSilentWithoutChannels) {
  for (const Entry& entry : policies())
    EXPECT_TRUE(make_policy(entry.name, {})->policy->decide({}).empty()) << entry.name;
}

TEST(AlwaysOn, BringsEveryChannelToItsFullRate) {
  const auto made = make_policy("always-on", {});
  auto channels = link(0, active(RateLevel{4}), active(RateLevel{1}));
  for (const ChannelSample& channel : link(2, asleep(RateLevel{4}), asleep(RateLevel{0})))
    channels.push_back(channel);
  EXPECT_EQ(made->policy->decide({TimePoint{}, channels}),
            (std::vector<Action>{{ChannelId{1}, SetRateLevel{RateLevel{4}}},
                                 {ChannelId{2}, Wake{}},
                                 {ChannelId{3}, SetRateLevel{RateLevel{4}}},
                                 {ChannelId{3}, Wake{}}}));
}

TEST(OnDemand, ArmsEachChannelOnceAndTriesChangingOnesAgain) {
  const auto made = make_policy("on-demand", {{"idle", "5us"}});
  const TimePoint soon{microseconds(20)};
  auto channels = link(0, active(RateLevel{4}), changing(active(RateLevel{4}), soon));
  const auto armed = [](std::uint32_t id) {
    return Action{ChannelId{id}, SleepWhenIdle{microseconds(5), bytes(1)}};
  };
  EXPECT_EQ(made->policy->decide({TimePoint{}, channels}), std::vector<Action>{armed(0)});
  channels[1].state = active(RateLevel{4});
  EXPECT_EQ(made->policy->decide({TimePoint(milliseconds(1)), channels}),
            std::vector<Action>{armed(1)});
  EXPECT_TRUE(made->policy->decide({TimePoint(milliseconds(2)), channels}).empty());

  made->policy->on_outcome({armed(0), {}, active(RateLevel{4}), Reason::changing});
  made->policy->on_outcome({armed(1), {}, active(RateLevel{4}), Reason::not_supported});
  EXPECT_EQ(made->policy->decide({TimePoint(milliseconds(3)), channels}),
            std::vector<Action>{armed(0)});
}

ChannelSample channel(std::uint32_t id, State state) {
  return {.id = ChannelId{id}, .reverse = ChannelId{id ^ 1U}, .rate_levels = 5, .state = state};
}

TEST(AlwaysSlowest, BringsEveryChannelToItsSlowestRateHoweverBusy) {
  const auto made = make_policy("always-slowest", {{"period", "2ms"}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->policy->sample_period(), Duration(std::chrono::milliseconds(2)));
  std::vector<ChannelSample> channels = {
      channel(0, active(RateLevel{4})), channel(1, active(RateLevel{0})),
      channel(2, asleep(RateLevel{0})), channel(3, asleep(RateLevel{2}))};
  channels[0].window = channels[0].busy = std::chrono::milliseconds(2);
  channels[0].queued = bytes(1'000'000);
  EXPECT_EQ(made->policy->decide({TimePoint{}, channels}),
            (std::vector<Action>{{ChannelId{0}, SetRateLevel{RateLevel{0}}},
                                 {ChannelId{2}, Wake{}},
                                 {ChannelId{3}, SetRateLevel{RateLevel{0}}},
                                 {ChannelId{3}, Wake{}}}));
}

ChannelSample channel(std::uint32_t id, std::uint8_t rate_levels) {
  return {.id = ChannelId{id},
          .reverse = ChannelId{id},
          .rate_levels = rate_levels,
          .state = active(RateLevel{static_cast<std::uint8_t>(rate_levels - 1)})};
}

std::vector<Action> decide(Policy& policy, const std::vector<ChannelSample>& channels) {
  return policy.decide({TimePoint(), channels});
}

TEST(OnDemand, ArmsEachChannelOnceToSleep) {
  const Made made = make_policy("on-demand", {{"idle", "2us"}, {"queued", "4KiB"}}).value();
  const std::vector<ChannelSample> channels = {channel(3, 5), channel(8, 1)};
  const SleepWhenIdle order{.idle = 2us, .wake = bytes(4096)};
  EXPECT_EQ(decide(*made.policy, channels),
            (std::vector<Action>{{ChannelId{3}, order}, {ChannelId{8}, order}}));
  EXPECT_TRUE(decide(*made.policy, channels).empty());
}

TEST(OnDemand, RestsAtTheSlowestStepWhereThereAreSeveral) {
  const Made made = make_policy("on-demand", {{"low_power_state", "slowest"}}).value();
  EXPECT_EQ(decide(*made.policy, {channel(3, 5), channel(8, 1)}),
            (std::vector<Action>{{ChannelId{3}, SpeedUpWhenQueued{bytes(1), RateLevel{4}}},
                                 {ChannelId{3}, SlowDownWhenIdle{1ns, RateLevel{0}}}}));
}

TEST(OnDemand, TriesAChannelAgainThatWasChanging) {
  const Made made = make_policy("on-demand", {}).value();
  std::vector<ChannelSample> channels = {channel(3, 5)};
  channels[0].state = changing(active(RateLevel{4}), TimePoint(1us));
  EXPECT_TRUE(decide(*made.policy, channels).empty());
  channels[0].state = active(RateLevel{4});
  const std::vector<Action> asked = decide(*made.policy, channels);
  ASSERT_EQ(asked.size(), 1U);
  made.policy->on_outcome({asked[0], TimePoint(), channels[0].state, Reason::changing});
  EXPECT_EQ(decide(*made.policy, channels), asked);
}

}  // namespace
}  // namespace ebb::policy
