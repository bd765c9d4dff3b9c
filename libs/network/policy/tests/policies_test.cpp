// SPDX-License-Identifier: Apache-2.0
//
// The registry, the parameters, the samples, and what every policy must do.
#include "ebb/policy/registry.hpp"
#include "ebb/units/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

namespace ebb::policy {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// A link of two directions, numbered 2n and 2n+1.
std::vector<ChannelSample> link(std::uint32_t first, State a, State b) {
  return {{.id = ChannelId{first}, .reverse = ChannelId{first + 1}, .ladder = 5, .state = a},
          {.id = ChannelId{first + 1}, .reverse = ChannelId{first}, .ladder = 5, .state = b}};
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
  auto channels = link(0, active(RateStep{4}), active(RateStep{0}));
  EXPECT_TRUE(check({TimePoint{}, channels}).empty());
  EXPECT_EQ(find({TimePoint{}, channels}, ChannelId{1}), 1U);
  EXPECT_EQ(find({TimePoint{}, channels}, ChannelId{7}), std::nullopt);

  const auto refused = [&](auto spoil) {
    auto spoilt = channels;
    spoil(spoilt);
    const Errors errors = check({TimePoint{}, spoilt});
    return errors.size() == 1 && errors[0].where.path == "channels[1]";
  };
  EXPECT_TRUE(refused([](auto& c) { c[1].state.step = RateStep{5}; }));
  EXPECT_TRUE(refused([](auto& c) { c[1].ladder = 0; }));
  EXPECT_TRUE(refused([](auto& c) { c[1].busy = Duration(1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].busy = Duration(-1); }));
  EXPECT_TRUE(refused([](auto& c) { c[1].held = Duration(-1); }));
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
    const State state = first % 4 == 0   ? changing(active(RateStep{1}), soon)
                        : first % 8 == 2 ? asleep(RateStep{3})
                                         : active(RateStep{2});
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
  std::vector<Way> ways;  // both directions of a link stand in for each other
  for (std::uint32_t first = 0; first < 40; first += 2)
    ways.push_back({first, 0, {ChannelId{first}, ChannelId{first + 1}}});
  for (const Entry& entry : policies()) {
    SCOPED_TRACE(entry.name);
    const auto made = make_policy(entry.name, {});
    if (made->policy->wants_ways()) made->policy->study(ways);
    const auto actions = made->policy->decide(sample);
    EXPECT_FALSE(actions.empty());
    EXPECT_TRUE(std::is_sorted(actions.begin(), actions.end(),
                               [](const auto& a, const auto& b) { return a.channel < b.channel; }));
    for (const Action& action : actions)
      EXPECT_FALSE(channels[index(action.channel)].state.changing) << index(action.channel);
  }
}

TEST(EveryPolicy, IsSilentWithoutChannels) {
  for (const Entry& entry : policies())
    EXPECT_TRUE(make_policy(entry.name, {})->policy->decide({}).empty()) << entry.name;
}

TEST(AlwaysOn, BringsEveryChannelToItsFullRate) {
  const auto made = make_policy("always-on", {});
  auto channels = link(0, active(RateStep{4}), active(RateStep{1}));
  for (const ChannelSample& channel : link(2, asleep(RateStep{4}), asleep(RateStep{0})))
    channels.push_back(channel);
  EXPECT_EQ(made->policy->decide({TimePoint{}, channels}),
            (std::vector<Action>{{ChannelId{1}, SetStep{RateStep{4}}},
                                 {ChannelId{2}, Wake{}},
                                 {ChannelId{3}, SetStep{RateStep{4}}},
                                 {ChannelId{3}, Wake{}}}));
}

TEST(OnDemand, ArmsEachChannelOnceAndTriesChangingOnesAgain) {
  const auto made = make_policy("on-demand", {{"idle", "5us"}});
  const TimePoint soon{microseconds(20)};
  auto channels = link(0, active(RateStep{4}), changing(active(RateStep{4}), soon));
  const auto armed = [](std::uint32_t id) {
    return Action{ChannelId{id}, SleepWhenIdle{microseconds(5), bytes(1)}};
  };
  EXPECT_EQ(made->policy->decide({TimePoint{}, channels}), std::vector<Action>{armed(0)});
  channels[1].state = active(RateStep{4});
  EXPECT_EQ(made->policy->decide({TimePoint(milliseconds(1)), channels}),
            std::vector<Action>{armed(1)});
  EXPECT_TRUE(made->policy->decide({TimePoint(milliseconds(2)), channels}).empty());

  made->policy->learn({armed(0), {}, active(RateStep{4}), Reason::changing});
  made->policy->learn({armed(1), {}, active(RateStep{4}), Reason::not_supported});
  EXPECT_EQ(made->policy->decide({TimePoint(milliseconds(3)), channels}),
            std::vector<Action>{armed(0)});
}

}  // namespace
}  // namespace ebb::policy
