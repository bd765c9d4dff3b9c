// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/controller.hpp"

#include "triangle_fabric.hpp"

#include <gtest/gtest.h>

namespace ebb::controller {
namespace {

class ADryRun : public AFabric {
 protected:
  ADryRun() : AFabric(RunMode::dry_run) {}
};

TEST_F(ADryRun, SaysOnceWhatItWouldDoAndOrdersNothing) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  EXPECT_TRUE(controller->sleeps(spare));
  EXPECT_EQ(state(spare), LinkState::active);
  EXPECT_EQ(policy.outcomes[1].reason, policy::Reason::done);
  ask(policy::Wake{}, {channel(1, 2)});
  EXPECT_FALSE(controller->sleeps(spare));
  const auto journal = controller->take_journal();
  ASSERT_EQ(journal.size(), 2U);
  EXPECT_EQ(journal[0].why, "would sleep: the policy asked");
  EXPECT_EQ(journal[1].why, "would wake: the policy asked");
  EXPECT_TRUE(given.empty());
}

TEST_F(ADryRun, LeavesALinkAsleepThatItFoundSo) {
  controller->found_asleep(now, spare, true);
  ask(policy::Wake{}, {channel(1, 2)});
  pass(seconds(20));  // longer than any limit
  EXPECT_FALSE(controller->sleeps(spare));
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_TRUE(given.empty());
}

TEST_F(AFabric, PutsALinkToSleepThatThePolicyWantsAsleepBothWays) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2)});
  EXPECT_EQ(state(spare), LinkState::active);
  ask(policy::Sleep{}, {channel(2, 1)});
  pass(milliseconds(200));
  EXPECT_EQ(state(spare), LinkState::asleep);
  ASSERT_EQ(policy.outcomes.size(), 2U);
  EXPECT_EQ(policy.outcomes[0].reason, policy::Reason::changing);
  EXPECT_EQ(policy.outcomes[1].reason, policy::Reason::done);
  pass(milliseconds(200));
  EXPECT_EQ(policy.seen[index(channel(1, 2))].state.mode, policy::Mode::asleep);
}

TEST_F(AFabric, NeverPutsALinkOfTheCoreToSleep) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(0, 1), channel(1, 0)});
  pass(seconds(1));
  EXPECT_EQ(state(link_between(0, 1)), LinkState::active);
  EXPECT_TRUE(given.empty());
  EXPECT_EQ(policy.outcomes.front().reason, policy::Reason::refused);
}

TEST_F(AFabric, KeepsALinkAwakeWhoseDetourIsBusy) {
  flow[index(channel(1, 0))] = 75'000;  // 60 Mb/s of 100
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  EXPECT_EQ(state(spare), LinkState::active);
  EXPECT_NE(controller->objection(now, spare).value().find("60 %"), std::string::npos);
  flow[index(channel(1, 0))] = 25'000;
  pass(milliseconds(300));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(300));
  EXPECT_EQ(state(spare), LinkState::asleep);
}

TEST_F(AFabric, WakesALinkWhenEitherDirectionIsWanted) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(seconds(2));
  ASSERT_EQ(state(spare), LinkState::asleep);
  ask(policy::Wake{}, {channel(2, 1)});
  pass(milliseconds(300));
  EXPECT_EQ(state(spare), LinkState::active);
}

TEST_F(AFabric, WakesEverythingWhenSomethingFails) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(300));
  ASSERT_EQ(state(spare), LinkState::asleep);
  controller->port(now, channel(0, 1), false);
  EXPECT_EQ(state(link_between(0, 1)), LinkState::failed);
  EXPECT_EQ(state(spare), LinkState::waking);
  carry_out_orders();
  pass(milliseconds(300));
  EXPECT_EQ(state(spare), LinkState::active);
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  EXPECT_EQ(state(spare), LinkState::active);  // not while something is broken
}

TEST_F(AFabric, WakesWhatItCanWhenASwitchGoes) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(300));
  ASSERT_EQ(state(spare), LinkState::asleep);
  controller->left(now, 0);  // the detour of what sleeps
  EXPECT_EQ(state(spare), LinkState::waking);
  pass(milliseconds(300));
  EXPECT_EQ(state(spare), LinkState::active);
}

TEST_F(AFabric, LeavesALinkAsleepWhoseSwitchIsAway) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(300));
  controller->left(now, 1);
  EXPECT_EQ(state(spare), LinkState::asleep);
}

TEST_F(AFabric, DoesNotMindAHostThatGoes) {
  const ChannelId to_host = graph.outputs(graph.switch_node(0)).front();
  ASSERT_TRUE(graph.is_host(graph.target(to_host)));
  controller->port(now, to_host, false);
  EXPECT_TRUE(controller->take_orders().empty());
  EXPECT_TRUE(controller->take_journal().empty());
}

TEST_F(AFabric, LetsAnOperatorTakeAnyLinkOutAsLongAsEveryoneIsReached) {
  pass(seconds(3));
  EXPECT_EQ(controller->drain(now, link_between(0, 1)), std::nullopt);
  carry_out_orders();
  pass(milliseconds(300));
  EXPECT_EQ(state(link_between(0, 1)), LinkState::asleep);
  EXPECT_EQ(controller->drain(now, link_between(0, 2)).value(), "hosts would not reach each other");
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  EXPECT_EQ(state(spare), LinkState::active);
  pass(seconds(3));
  ask(policy::Wake{}, {channel(0, 1)});  // the policy does not put it back
  EXPECT_EQ(state(link_between(0, 1)), LinkState::asleep);
  EXPECT_EQ(controller->undrain(now, link_between(0, 1)), std::nullopt);
  carry_out_orders();
  pass(milliseconds(300));
  EXPECT_EQ(state(link_between(0, 1)), LinkState::active);
  EXPECT_EQ(controller->undrain(now, link_between(0, 1)).value(), "it is not drained");
}

TEST_F(AFabric, PutsNothingToSleepBeforeProbesCameThrough) {
  controller->left(now, 2);
  controller->joined(now, 2);  // what was heard of its cables is of the past
  controller->tick(now);
  EXPECT_EQ(controller->objection(now + seconds(10), spare), "no probe came from s1 to s2");
  pass(seconds(6));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(300));
  EXPECT_EQ(state(spare), LinkState::asleep);
}

TEST_F(AFabric, DoesNotFlap) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(200));
  ASSERT_EQ(state(spare), LinkState::asleep);
  ask(policy::Wake{}, {channel(1, 2)});  // has slept for too short a time
  EXPECT_EQ(state(spare), LinkState::asleep);
  pass(seconds(1));
  ask(policy::Wake{}, {channel(1, 2)});
  pass(milliseconds(300));
  ASSERT_EQ(state(spare), LinkState::active);
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});  // has been awake for too short a time
  EXPECT_EQ(state(spare), LinkState::active);
}

TEST_F(AFabric, ChangesALinkOnlySoOftenInAnHour) {
  int slept = 0;
  for (int round = 0; round < 80; ++round) {
    pass(seconds(3));
    ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
    pass(milliseconds(300));
    slept += state(spare) == LinkState::asleep ? 1 : 0;
    pass(seconds(1));
    ask(policy::Wake{}, {channel(1, 2), channel(2, 1)});
    pass(milliseconds(300));
  }
  EXPECT_EQ(slept, 60);  // 120 changes
}

TEST_F(AFabric, LeavesLinksOfASwitchAloneThatCannotBeReached) {
  pass(seconds(3));
  controller->left(now, 2);
  pass(seconds(6));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  EXPECT_EQ(state(spare), LinkState::active);
  controller->joined(now, 2);
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(300));
  EXPECT_EQ(state(spare), LinkState::asleep);
}

TEST_F(AFabric, TellsThePolicyWhatWasSent) {
  flow[index(channel(0, 2))] = 12'500;  // 10 Mb/s of 100
  pass(seconds(1));
  const policy::ChannelSample& seen = policy.seen[index(channel(0, 2))];
  EXPECT_EQ(seen.window, Duration(milliseconds(100)));
  EXPECT_EQ(seen.sent, bytes(125'000));
  EXPECT_EQ(seen.busy, Duration(milliseconds(10)));
  EXPECT_EQ(policy.seen[index(channel(2, 0))].busy, Duration{});
}

TEST_F(AFabric, WritesDownWhatHappenedAndWhy) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(milliseconds(300));
  const std::vector<Entry> journal = controller->take_journal();
  ASSERT_EQ(journal.size(), 2U);
  EXPECT_EQ(journal[0].state, LinkState::draining);
  EXPECT_EQ(journal[1].state, LinkState::asleep);
  EXPECT_EQ(journal[1].link, spare);
  EXPECT_EQ(journal[1].why, "the policy asked");
}

// What a controller knew, told to the next one before any switch is there.
class ANextController : public AFabric {
 protected:
  ANextController() {
    controller->restore(now, spare, {LinkState::asleep, "the policy asked", false, {}});
  }
};

TEST_F(ANextController, OrdersNothingForWhatSleepsAsItWasLeft) {
  EXPECT_TRUE(controller->link(spare).detours());
  controller->found_asleep(now, spare, true);
  pass(seconds(3));
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_TRUE(given.empty());
  EXPECT_EQ(controller->take_journal().at(0).why, "was found asleep: the policy asked");
  ask(policy::Wake{}, {channel(1, 2)});
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::active) << "the policy goes on";
}

TEST_F(ANextController, WakesNothingBeforeItsPortsAreKnown) {
  ask(policy::Wake{}, {channel(1, 2)});
  controller->port(now, channel(0, 1), false);  // something else fails
  carry_out_orders();
  EXPECT_EQ(state(spare), LinkState::asleep);
  controller->found_asleep(now, spare, true);
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::active) << "but then with everything else";
}

TEST_F(ANextController, BringsALinkBackThatIsAwakeAgainstItsMemory) {
  controller->found_awake(now, spare);
  for (const ChannelId end : {channel(1, 2), channel(2, 1)}) controller->port(now, end, true);
  EXPECT_TRUE(controller->link(spare).detours()) << "until both ends have been live for a while";
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::active);
  EXPECT_FALSE(controller->link(spare).detours());
}

TEST_F(AFabric, KeepsOutWhatWasTakenOutBefore) {
  controller->restore(now, spare, {LinkState::active, "", true, {}});
  controller->found_awake(now, spare);
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::asleep);
  EXPECT_TRUE(controller->persisted(now, spare).drained);
  EXPECT_EQ(controller->undrain(now, spare), std::nullopt);
  pass(seconds(1));
  EXPECT_EQ(state(spare), LinkState::active);
}

TEST_F(AFabric, CountsTheChangesOfTheControllerBefore) {
  PersistedLink spent;
  spent.changed.assign(Safety{}.transitions_per_hour, std::chrono::minutes(30));
  controller->restore(now, spare, spent);
  pass(seconds(3));
  EXPECT_EQ(controller->objection(now, spare), "it changed too often within an hour");
  EXPECT_EQ(controller->persisted(now, spare).changed.size(), Safety{}.transitions_per_hour);
}

TEST_F(AFabric, IsNotAskedMoreOftenThanCountersAreRead) {
  Controller slow(
      graph, walker, forwarding::SleepableLinks{std::vector<bool>(graph.link_count()), {}},
      std::vector<ChannelFacts>(2 * graph.link_count(), {.tier = 0, .level_power = {Power{}}}),
      Safety{}, policy);
  slow.tick(now);
  EXPECT_EQ(slow.next_tick(), now + milliseconds(500));
}

TEST(Counters, ThatBeginAgainAreNotTakenForTraffic) {
  const auto graph =
      *topology::build("complete", {{"switches", "2"}, {"hosts", "1"}}, {megabits_per_second(100)});
  const ChannelFacts facts{.tier = 0, .level_power = {milliwatts(800)}};
  Sampler sampler(graph, std::vector<ChannelFacts>(2 * graph.link_count(), facts));
  const std::vector<policy::State> states(2 * graph.link_count());
  const ChannelId out = graph.outputs(graph.switch_node(0)).back();
  sampler.count(TimePoint{seconds(1)}, {.end = out, .sent_bytes = 1'000'000});
  (void)sampler.sample(TimePoint{seconds(1)}, states);
  sampler.count(TimePoint{seconds(2)}, {.end = out, .sent_bytes = 300});
  const policy::Sample sample = sampler.sample(TimePoint{seconds(2)}, states);
  EXPECT_EQ(sample.channels[index(out)].sent, bytes(300));
}

std::vector<std::string> objecting(const std::vector<RuleCheck>& checks) {
  std::vector<std::string> rules;
  for (const RuleCheck& check : checks) {
    if (check.objection) rules.emplace_back(check.rule);
  }
  return rules;
}

TEST_F(AFabric, ListsEveryRuleAndEveryObjection) {
  pass(seconds(3));
  EXPECT_EQ(controller->checks(now, spare).size(), 13U);
  EXPECT_TRUE(objecting(controller->checks(now, spare)).empty());
  // The detour gets busy, a switch of it goes: all rules that object, not the first alone.
  flow[index(channel(1, 0))] = 75'000;  // 60 % of 100 Mb/s
  pass(milliseconds(200));
  controller->left(now, 0);
  const auto checks = controller->checks(now, spare);
  EXPECT_EQ(objecting(checks), (std::vector<std::string>{"probes", "switches", "failure_holdoff",
                                                         "max_detour_utilisation"}));
  EXPECT_EQ(checks.back().present, "s1 to s0 would be used 60 %");
  EXPECT_EQ(checks.back().needed, "at most 50 %");
  // The first is what a policy or a person is told.
  EXPECT_EQ(controller->objection(now, spare), "no probe came from s1 to s0");
}

TEST_F(AFabric, SaysOfALinkOfTheCoreThatItIsOne) {
  pass(seconds(3));
  const auto checks = controller->checks(now, link_between(0, 1));
  EXPECT_EQ(objecting(checks), std::vector<std::string>{"core"});
}

TEST_F(AFabric, CanBeAskedAboutTheLinkOfAHost) {
  const LinkId link = topology::link_of(graph.outputs(graph.host_node(0))[0]);
  EXPECT_FALSE(objecting(controller->checks(now, link)).empty());
}

TEST_F(AFabric, RemembersWhatThePolicyWantsOfEachDirection) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2)});
  EXPECT_TRUE(controller->wants_asleep(channel(1, 2)));
  EXPECT_FALSE(controller->wants_asleep(channel(2, 1)));
  ask(policy::Sleep{}, {channel(0, 1)});
  EXPECT_TRUE(controller->wants_asleep(channel(0, 1))) << "also what it will never get";
}

TEST_F(AFabric, CountsDecisionsAndRefusalsByTheirReason) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(0, 1)});                 // of the core
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});  // one direction, then both
  pass(milliseconds(200));
  ask(policy::Wake{}, {channel(1, 2)});  // asleep for too short a time
  ask(policy::SetRateLevel{}, {channel(1, 2)});
  const DecisionCounts& decided = controller->decision_counts();
  EXPECT_EQ(decided.refused_to_sleep.at("core"), 1U);
  EXPECT_EQ(decided.refused_to_wake.at("min_sleep_time"), 1U);
  EXPECT_EQ(decided.actions.at(policy::Reason::not_supported), 1U);
  EXPECT_EQ(decided.actions.at(policy::Reason::changing), 1U);
  EXPECT_EQ(decided.actions.at(policy::Reason::done), 1U);
  EXPECT_EQ(decided.actions.at(policy::Reason::refused), 2U);
  EXPECT_GT(decided.decisions, 30U);
}

}  // namespace
}  // namespace ebb::controller
