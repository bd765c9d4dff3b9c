// SPDX-License-Identifier: Apache-2.0
#include "ebb/replay/replay.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ebb::replay {
namespace {

using namespace std::chrono_literals;
using topology::ChannelId;
using topology::LinkId;

constexpr counters::UnixTime kStep = 300s;

// Nine switches with a host each; a port draws 2 W awake and 1 W asleep.
class NineSwitches : public testing::Test {
 protected:
  NineSwitches() { loads_.loads.resize(graph_.channel_count()); }

  // All channels between switches sent so much in a step.
  void add_step(float load) {
    for (std::uint32_t which = 0; which < graph_.channel_count(); ++which) {
      if (graph_.connects_switches(ChannelId{which})) loads_.loads[which].push_back(load);
    }
    ++loads_.steps;
  }
  void add_steps(int count, float load) {
    for (int step = 0; step < count; ++step) add_step(load);
  }
  [[nodiscard]] PolicyRun replayed(const std::string& policy,
                                   const ParameterTexts& parameters = {}) const {
    const files::Named named{policy, parameters};
    return replay(setting_, loads_, {{named}}, {0.5}).front();
  }
  [[nodiscard]] std::int64_t may_sleep() const {
    const auto& may = setting_.sleepable.may_sleep;
    return std::count(may.begin(), may.end(), true);
  }

  topology::Graph graph_ = *topology::build("fbfly", {{"hosts", "1"}, {"dims", "3x3"}},
                                            {megabits_per_second(10), megabits_per_second(100)});
  FabricSetting setting_ =
      fabric_setting(graph_, {}, {.awake = watts(2), .asleep = watts(1)}).value();
  counters::ChannelLoads loads_{.step = kStep};
};

TEST_F(NineSwitches, StayAwakeUnderAlwaysOn) {
  add_steps(12, 1e6F);
  const PolicyRun run = this->replayed("always-on");
  const Hour total = run.total();
  EXPECT_EQ(total.time, 1h);
  EXPECT_EQ(run.links, 18U);
  EXPECT_EQ(total.all_awake, watts(18 * 2 * 2) * Duration(1h));
  EXPECT_EQ(total.used, total.all_awake);
  EXPECT_EQ(total.asleep, LongTime{});
  EXPECT_DOUBLE_EQ(total.highest, 0.01);
}

TEST_F(NineSwitches, SleepWhileThereIsLittle) {
  add_steps(12, 1e6F);
  const PolicyRun run = this->replayed("stages", {{"period", "500ms"}});
  const Hour total = run.total();
  EXPECT_EQ(static_cast<std::int64_t>(total.slept), may_sleep());
  EXPECT_EQ(total.woken, 0U);
  // They go within some seconds, after min_awake_time, eight at a time.
  const double share = static_cast<double>(total.asleep.count()) /
                       static_cast<double>(LongTime(1h).count()) / static_cast<double>(may_sleep());
  EXPECT_GT(share, 0.99);
  EXPECT_LT(share, 1.0);
  EXPECT_EQ(total.all_awake - total.used, watts(2) * total.asleep);
  for (std::uint32_t link = 0; link < graph_.link_count(); ++link)
    EXPECT_EQ(run.asleep[link] > LongTime{}, setting_.sleepable.may_sleep[link]) << link;
}

TEST_F(NineSwitches, WakeWhenThereIsMuch) {
  add_steps(12, 1e6F);
  add_steps(12, 50e6F);
  add_steps(12, 1e6F);
  const PolicyRun run = this->replayed("stages", {{"period", "500ms"}});
  ASSERT_EQ(run.hours.size(), 3U);
  EXPECT_EQ(static_cast<std::int64_t>(run.hours[1].woken), may_sleep());
  EXPECT_LT(run.hours[1].asleep, LongTime(1min) * may_sleep());
  EXPECT_EQ(static_cast<std::int64_t>(run.hours[2].slept), may_sleep());
  EXPECT_GE(run.hours[1].highest, 0.5) << "until they woke, detours carried more";
}

// A link that wakes is probed at once, not when the policy decides next.
TEST_F(NineSwitches, WakeUnderAPolicyThatDecidesRarely) {
  for (int hour = 0; hour < 5; ++hour) add_steps(12, hour % 2 == 0 ? 1e6F : 50e6F);
  const PolicyRun run = this->replayed("stages", {{"period", "1min"}});
  ASSERT_EQ(run.hours.size(), 5U);
  for (const std::size_t much : {1, 3}) {
    EXPECT_EQ(static_cast<std::int64_t>(run.hours[much].woken), may_sleep());
    EXPECT_EQ(static_cast<std::int64_t>(run.hours[much + 1].slept), may_sleep());
    EXPECT_LT(run.hours[much].asleep, LongTime(3min) * may_sleep());
  }
}

TEST_F(NineSwitches, DoNotSleepWhileTheirLoadIsNotKnown) {
  add_steps(12, counters::kUnknown);
  const PolicyRun run = this->replayed("stages", {{"period", "500ms"}});
  EXPECT_EQ(run.total().slept, 0U);
  EXPECT_GT(run.counts.refused_to_sleep.at("max_counter_age"), 0U);
}

TEST_F(NineSwitches, KeepTheirDetoursBelowTheLimit) {
  add_steps(12, 30e6F);  // 60 % with a detour
  const PolicyRun run =
      this->replayed("stages", {{"period", "500ms"}, {"low", "35%"}, {"high", "90%"}});
  EXPECT_EQ(run.total().slept, 0U);
  EXPECT_GT(run.counts.refused_to_sleep.at("max_detour_utilisation"), 0U);
}

TEST_F(NineSwitches, RunMoreSlowlyUnderEpoch) {
  add_steps(12, 1e6F);
  const PolicyRun run = this->replayed("epoch", {{"epoch", "500ms"}});
  EXPECT_EQ(run.total().slept, 0U);
  EXPECT_GT(run.total().highest, 0.09) << "of the slower rate";
}

TEST_F(NineSwitches, SleepWhenNothingIsSentUnderOnDemand) {
  add_steps(12, 0.0F);
  add_steps(12, 1e6F);
  const PolicyRun run =
      this->replayed("on-demand", {{"low_power_state", "sleep"}, {"idle", "200ms"}});
  ASSERT_EQ(run.hours.size(), 2U);
  EXPECT_GT(run.hours[0].asleep, LongTime(59min) * may_sleep());
  EXPECT_LT(run.hours[1].asleep, LongTime(1min) * may_sleep());
}

TEST_F(NineSwitches, GoOnWhenTheControllerIsStartedAgain) {
  loads_.step = 24h;
  add_steps(100, 1e6F);
  const PolicyRun run = this->replayed("stages", {{"period", "500ms"}});
  EXPECT_EQ(run.total().time, LongTime(24h) * 100);
  EXPECT_GT(run.total().asleep, LongTime(24h) * 99 * may_sleep());
  EXPECT_EQ(static_cast<std::int64_t>(run.total().slept), may_sleep());
  EXPECT_EQ(run.total().woken, 0U);
  EXPECT_EQ(by_day(run.hours).size(), 100U);
}

TEST_F(NineSwitches, AreTheSameAloneAndWithOthers) {
  add_steps(6, 1e6F);
  add_steps(6, 40e6F);
  const std::vector<files::Named> policies = {
      {"stages", {{"period", "500ms"}}}, {"always-on", {}}, {"consolidate", {{"period", "1s"}}}};
  const std::vector<PolicyRun> together = replay(setting_, loads_, policies, {0.5});
  for (std::size_t which = 0; which < policies.size(); ++which) {
    const PolicyRun alone = replay(setting_, loads_, {{policies[which]}}, {0.5}).front();
    EXPECT_EQ(alone.total().used, together[which].total().used);
    EXPECT_EQ(alone.asleep, together[which].asleep);
  }
}

TEST_F(NineSwitches, UseWhatTheirLinksUse) {
  add_steps(6, 1e6F);
  add_steps(6, 90e6F);
  for (const auto& policy : {files::Named{"stages", {{"period", "500ms"}}}, {"epoch", {}}}) {
    const PolicyRun run = this->replayed(policy.name, policy.parameters);
    Energy sum;
    for (const Energy energy : run.energy) sum += energy;
    EXPECT_EQ(sum, run.total().used);
  }
  add_step(1e6F);
  const PolicyRun run = this->replayed("stages", {{"period", "500ms"}});
  Power power;
  for (const Power one : run.power) power += one;
  const std::int64_t ports = 2 * std::int64_t{run.links};
  EXPECT_EQ(power, watts(2 * ports - 2 * may_sleep())) << "all that may sleep do when it ends";
}

// Tables of hours, days and years are by the clock; what is decided is not.
TEST_F(NineSwitches, DoTheSameADayLater) {
  loads_.step = 30min;
  for (int step = 0; step < 48; ++step) add_step(step < 24 ? 1e6F : 60e6F);
  const PolicyRun today = this->replayed("stages", {{"period", "500ms"}});
  loads_.first += 48;
  const PolicyRun tomorrow = this->replayed("stages", {{"period", "500ms"}});
  ASSERT_EQ(today.hours.size(), 24U);
  ASSERT_EQ(tomorrow.hours.size(), 24U);
  EXPECT_GT(today.total().slept, 0U);
  for (std::size_t hour = 0; hour < 24; ++hour) {
    EXPECT_EQ(tomorrow.hours[hour].number, today.hours[hour].number + kHoursOfDay);
    EXPECT_EQ(tomorrow.hours[hour].used, today.hours[hour].used);
    EXPECT_EQ(tomorrow.hours[hour].asleep, today.hours[hour].asleep);
    EXPECT_EQ(tomorrow.hours[hour].highest, today.hours[hour].highest);
  }
  EXPECT_EQ(tomorrow.asleep, today.asleep);
  EXPECT_EQ(tomorrow.energy, today.energy);
  EXPECT_EQ(tomorrow.counts.decisions, today.counts.decisions);
}

TEST_F(NineSwitches, SaveInAYearWhatTheirWeeksSave) {
  loads_.step = 1h;
  add_steps(24 * 7, 1e6F);
  add_steps(24 * 7, 50e6F);
  const Year year = year_of(replayed("stages", {{"period", "500ms"}}).hours);
  EXPECT_EQ(year.periods, "weeks");
  EXPECT_EQ(year.period_count, 2U);
  const double most =
      to_kwh(watts(2) * std::chrono::hours(8766)) * static_cast<double>(may_sleep());
  EXPECT_NEAR(to_kwh(*year.highest), most, most / 100);
  EXPECT_NEAR(to_kwh(*year.lowest), 0, most / 100);
  EXPECT_NEAR(to_kwh(year.saved), most / 2, most / 100);
}

class DetoursOf : public testing::Test {
 protected:
  static ChannelId between(const topology::Graph& graph, std::uint32_t from, std::uint32_t to) {
    for (const ChannelId one : graph.outputs(graph.switch_node(from))) {
      if (graph.target(one) == graph.switch_node(to)) return one;
    }
    return {};
  }
};

TEST_F(DetoursOf, AFlattenedButterflyAreTwoChannels) {
  const auto graph =
      *topology::build("fbfly", {{"hosts", "1"}, {"dims", "3"}}, {megabits_per_second(100)});
  const FabricSetting setting = fabric_setting(graph, {}, {}).value();
  const forwarding::TableWalker walker(graph, setting.plan, setting.tables);
  Detours detours(walker, setting);
  const ChannelId sleeps = between(graph, 1, 2);
  ASSERT_TRUE(setting.sleepable.may_sleep[index(topology::link_of(sleeps))]);
  std::vector<float> sent(graph.channel_count(), 0.0F);
  sent[index(sleeps)] = 12;
  sent[index(between(graph, 1, 0))] = 1;
  std::vector<double> carried(graph.channel_count());
  detours.divert(topology::link_of(sleeps), true);
  detours.move(sent, carried);
  EXPECT_EQ(carried[index(sleeps)], 0);
  EXPECT_EQ(carried[index(between(graph, 1, 0))], 13);
  EXPECT_EQ(carried[index(between(graph, 0, 2))], 12);
  EXPECT_EQ(carried[index(between(graph, 0, 1))], 0);
  detours.divert(topology::link_of(sleeps), false);
  detours.move(sent, carried);
  EXPECT_EQ(carried[index(sleeps)], 12);
  EXPECT_EQ(carried[index(between(graph, 0, 2))], 0);
}

TEST_F(DetoursOf, ALeafSpineAreTheOtherSpines) {
  // Leaves 0 and 1, spines 2 and 3.
  const auto graph = *topology::build("clos", {{"ports", "4"}, {"levels", "2"}, {"hosts", "4"}},
                                      {megabits_per_second(100)});
  const FabricSetting setting = fabric_setting(graph, {}, {}).value();
  const forwarding::TableWalker walker(graph, setting.plan, setting.tables);
  Detours detours(walker, setting);
  std::vector<float> sent(graph.channel_count(), 0.0F);
  double all = 0;
  for (std::uint32_t which = 0; which < graph.link_count(); ++which) {
    if (!graph.connects_switches(LinkId{which})) continue;
    for (const ChannelId channel :
         {topology::forward(LinkId{which}), topology::reverse(topology::forward(LinkId{which}))}) {
      sent[index(channel)] = 10;
      all += 10;
    }
    if (setting.sleepable.may_sleep[which]) detours.divert(LinkId{which}, true);
  }
  std::vector<double> carried(graph.channel_count());
  detours.move(sent, carried);
  double moved = 0;
  for (const double one : carried) {
    EXPECT_TRUE(one == 0 || one == 20) << one;
    moved += one;
  }
  EXPECT_EQ(moved, all) << "one hop stands in for one hop";
}

// Four spines: the uplinks of a leaf that sleep all move to the one that never does. Of links that
// go to sleep in one decision, each counts on what the others move there.
TEST(LeafSpine, KeepsSharedDetoursBelowTheLimit) {
  const topology::Graph graph = *topology::build(
      "clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "32"}}, {megabits_per_second(100)});
  const auto setting = fabric_setting(graph, {}, {.awake = watts(2), .asleep = watts(1)});
  counters::ChannelLoads loads{.step = kStep, .steps = 12};
  for (std::uint32_t which = 0; which < graph.channel_count(); ++which)
    loads.loads.emplace_back(graph.connects_switches(ChannelId{which}) ? 12 : 0, 18e6F);
  const files::Named policy{"stages", {{"period", "500ms"}, {"low", "35%"}, {"high", "90%"}}};
  const PolicyRun run = replay(*setting, loads, {{policy}}, {0.5}).front();
  EXPECT_GT(run.total().slept, 0U);
  EXPECT_LE(run.total().highest, 0.5);
}

// Loads of one leaf rise while its links sleep: its three uplinks at 30 % would fill the fourth for
// half an hour, and the policy, which looks at the mean of all links, would not see it.
TEST(LeafSpine, WakesLinksWhoseDetourHasBecomeFull) {
  const topology::Graph graph = *topology::build(
      "clos", {{"ports", "8"}, {"levels", "2"}, {"hosts", "32"}}, {megabits_per_second(100)});
  const auto setting = fabric_setting(graph, {}, {.awake = watts(2), .asleep = watts(1)});
  counters::ChannelLoads loads{.step = kStep, .steps = 12};
  for (std::uint32_t which = 0; which < graph.channel_count(); ++which) {
    const ChannelId channel{which};
    loads.loads.emplace_back(graph.connects_switches(channel) ? 12 : 0, 2e6F);
    if (graph.connects_switches(channel) && graph.name(graph.source(channel)) == "s0")
      std::fill(loads.loads.back().begin() + 6, loads.loads.back().end(), 30e6F);
  }
  const files::Named policy{"stages", {{"period", "500ms"}, {"low", "10%"}, {"high", "90%"}}};
  const PolicyRun run = replay(*setting, loads, {{policy}}, {0.75}).front();
  EXPECT_EQ(run.total().slept, 24U) << "all but one of each leaf";
  EXPECT_EQ(run.total().woken, run.counts.woken_by_full_detours) << "the policy wakes nothing";
  // Two are enough for 60 % on the last; counters that still show 90 % in part wake the third.
  EXPECT_GE(run.total().woken, 2U);
  EXPECT_LE(run.total().woken, 3U);
  EXPECT_LE(run.total().above.front(), std::chrono::seconds(3)) << "until it is seen";
}

// Six leaves and three spines that route by ECMP: of 30 % on each link 45 % come to each of two,
// or 90 % to the last.
class RoutedLeafSpine : public testing::Test {
 protected:
  [[nodiscard]] PolicyRun replayed(std::uint32_t min_next_hops, float load) const {
    const auto setting = routed_setting(graph_, {}, {.awake = watts(2), .asleep = watts(1)},
                                        {.min_next_hops = min_next_hops});
    counters::ChannelLoads loads{.step = kStep, .steps = 12};
    for (std::uint32_t which = 0; which < graph_.channel_count(); ++which)
      loads.loads.emplace_back(graph_.connects_switches(ChannelId{which}) ? 12 : 0, load);
    const files::Named policy{"stages", {{"period", "500ms"}, {"low", "35%"}, {"high", "95%"}}};
    return replay(*setting, loads, {{policy}}, {0.5}).front();
  }
  topology::Graph graph_ = *topology::build(
      "clos", {{"ports", "6"}, {"levels", "2"}, {"hosts", "18"}}, {megabits_per_second(100)});
};

TEST_F(RoutedLeafSpine, LetsTheLastSpineSleep) {
  const PolicyRun run = this->replayed(2, 30e6F);
  EXPECT_EQ(run.links, 18U);
  EXPECT_EQ(run.total().slept, 6U);
  EXPECT_EQ(run.total().woken, 0U);
  EXPECT_NEAR(run.total().highest, 0.45, 1e-6) << "in the end, and never more";
  EXPECT_GT(run.total().asleep, LongTime(59min) * 6);
  EXPECT_EQ(run.counts.refused_to_sleep.at("min_next_hops"), 0U);
}

// One spine of three would carry all of it: one of the two that may sleep does, and of the other
// no link.
TEST_F(RoutedLeafSpine, KeepsSiblingsBelowTheLimit) {
  const PolicyRun run = this->replayed(1, 30e6F);
  EXPECT_GE(run.total().slept, 6U);
  EXPECT_LE(run.total().highest, 0.5);
  EXPECT_GT(run.counts.refused_to_sleep.at("max_detour_utilisation"), 0U);
  const PolicyRun little = this->replayed(1, 15e6F);
  EXPECT_EQ(little.total().slept, 12U);
  EXPECT_NEAR(little.total().highest, 0.45, 1e-6);
}

TEST_F(RoutedLeafSpine, IsRefusedWhereNothingCouldSleep) {
  const auto setting = routed_setting(graph_, {}, {}, {.min_next_hops = 3});
  ASSERT_FALSE(setting.has_value());
  EXPECT_EQ(setting.error()[0].message,
            "no link may sleep: a leaf has as many next hops as spines, 3, and 3 must stay");
}

}  // namespace
}  // namespace ebb::replay
