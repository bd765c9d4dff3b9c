// SPDX-License-Identifier: Apache-2.0
//
// What the controller does when something fails, and when it does not know.
#include "triangle_fabric.hpp"

#include "ebb/controller/controller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

namespace ebb::controller {
namespace {

class ADrainedLink : public AFabric {
 protected:
  ADrainedLink() {
    pass(seconds(3));
    EXPECT_EQ(controller->drain(now, spare), std::nullopt);
    pass(milliseconds(300));
    EXPECT_EQ(state(spare), LinkState::asleep);
    given.clear();
  }
  // No port of it was ordered up, and it is as it was.
  void expect_down() {
    pass(seconds(2));
    EXPECT_EQ(state(spare), LinkState::asleep);
    for (const Order& order : given) {
      const auto* port = std::get_if<SetPort>(&order);
      EXPECT_FALSE(port != nullptr && port->up);
    }
  }
};

TEST_F(ADrainedLink, StaysDownWhenAnotherFails) {
  controller->port(now, channel(0, 1), false);
  expect_down();
}

TEST_F(ADrainedLink, StaysDownWhenASwitchGoes) {
  controller->left(now, 0);
  expect_down();
}

TEST_F(ADrainedLink, StaysDownWhenTheControllerGoes) {
  controller->shut_down(now);
  expect_down();
}

TEST_F(ADrainedLink, StaysDownUnderAnotherController) {
  const PersistedLink left = controller->persisted(now, spare);
  EXPECT_TRUE(left.drained);
  for (const bool both : {true, false}) {
    make();
    controller->restore(now, spare, left);
    controller->found_asleep(now, spare, both);
    expect_down();
  }
  // Ports that somebody took up in between.
  make();
  controller->restore(now, spare, left);
  controller->found_awake(now, spare);
  for (const ChannelId end : {channel(1, 2), channel(2, 1)}) controller->port(now, end, true);
  expect_down();
}

TEST_F(ADrainedLink, StaysDownWhenThePolicyFails) {
  policy.failed = "no idea";
  expect_down();
}

TEST_F(AFabric, WakesEverythingWhenThePolicyFailsAndAsksItNoMore) {
  pass(seconds(3));
  ask(policy::SleepWhenIdle{.idle = milliseconds(100)}, {channel(1, 2), channel(2, 1)});
  pass(seconds(1));
  ASSERT_EQ(state(spare), LinkState::asleep);
  EXPECT_FALSE(controller->policy_failure());
  policy.failed = "no idea";
  policy.next = {{policy::ChannelId{index(channel(1, 2))}, policy::Sleep{}}};
  const std::uint64_t decisions = controller->decision_counts().decisions;
  pass(seconds(5));
  EXPECT_EQ(state(spare), LinkState::active) << "neither a trigger nor a wish is left of it";
  EXPECT_EQ(controller->policy_failure(), "no idea");
  EXPECT_EQ(controller->decision_counts().decisions, decisions + 1);
}

// A switch that was away when the policy failed.
TEST_F(AFabric, WakesALinkThatIsFoundAsleepAfterThePolicyHasFailed) {
  policy.failed = "no idea";
  pass(seconds(3));
  controller->found_asleep(now, spare, true);
  for (const ChannelId end : {channel(1, 2), channel(2, 1)}) controller->port(now, end, false);
  pass(seconds(3));
  EXPECT_EQ(state(spare), LinkState::active);
}

TEST_F(AFabric, DoesNotKnowWhatALinkCarriesWhoseCountersAreOld) {
  flow[index(channel(1, 0))] = 122'500;  // 98 % of 100 Mb/s
  pass(seconds(3));
  EXPECT_EQ(controller->objection(now, spare), "s1 to s0 would be used 98 %");
  frozen = true;
  pass(milliseconds(300));
  EXPECT_EQ(controller->objection(now, spare), "s1 to s0 would be used 98 %")
      << "what was not read is taken to be as it was";
  pass(seconds(1));
  EXPECT_NE(controller->objection(now, spare)->find("its load is not known"), std::string::npos)
      << *controller->objection(now, spare);
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  EXPECT_EQ(state(spare), LinkState::active);
  frozen = false;
  flow[index(channel(1, 0))] = 0;
  pass(milliseconds(300));
  EXPECT_FALSE(controller->objection(now, spare));
}

// A detour whose counters stop objects as well, whatever it carried before.
TEST_F(AFabric, TakesSilentCountersForUnknownAndNotForIdle) {
  pass(seconds(3));
  EXPECT_FALSE(controller->objection(now, spare));
  frozen = true;
  pass(milliseconds(1100));
  EXPECT_EQ(controller->decision_counts().refused_to_sleep.at("max_counter_age"), 0U);
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  EXPECT_EQ(controller->decision_counts().refused_to_sleep.at("max_counter_age"), 1U);
  EXPECT_EQ(*controller->counter_age(now, channel(1, 2)), Duration(milliseconds(1200)));
}

TEST_F(AFabric, DivertsALinkThatLosesProbesOneWay) {
  pass(seconds(3));
  lossy = {channel(2, 0)};
  pass(milliseconds(2200));
  EXPECT_EQ(state(link_between(0, 2)), LinkState::failed);
  EXPECT_EQ(controller->link(link_between(0, 2)).why(), "probes from s2 to s0 are lost");
  EXPECT_TRUE(controller->link(link_between(0, 2)).detours());
  lossy.clear();
  pass(seconds(4));
  EXPECT_EQ(state(link_between(0, 2)), LinkState::active);
}

TEST_F(AFabric, DoesNotUseADeadCableThatWasWoken) {
  pass(seconds(3));
  ask(policy::Sleep{}, {channel(1, 2), channel(2, 1)});
  pass(seconds(2));
  ASSERT_EQ(state(spare), LinkState::asleep);
  lossy = {channel(1, 2), channel(2, 1)};
  ask(policy::Wake{}, {channel(1, 2)});
  pass(seconds(11));
  EXPECT_EQ(state(spare), LinkState::failed);
  EXPECT_TRUE(controller->link(spare).detours());
}

TEST_F(AFabric, DivertsALinkWhoseCableLeadsElsewhere) {
  pass(seconds(3));
  controller->miscabled(now, channel(0, 1), "its cable leads elsewhere");
  EXPECT_EQ(state(link_between(0, 1)), LinkState::failed);
  EXPECT_TRUE(controller->link(link_between(0, 1)).detours());
}

// Orders that wait behind one that fails are overtaken, and must not be sent.
TEST_F(AFabric, KnowsWhichOrdersWereOvertaken) {
  pass(seconds(3));
  EXPECT_EQ(controller->drain(now, spare), std::nullopt);
  const std::vector<Order> away = controller->take_orders();
  ASSERT_EQ(away.size(), 2U);
  EXPECT_TRUE(controller->is_current(away[1]));
  controller->answered(now, away[0], false, "no such group");
  EXPECT_FALSE(controller->is_current(away[1]));
}

// A flattened butterfly of 6 x 6 switches, all of whose spare links sleep.
class AGrid : public testing::Test {
 protected:
  AGrid()
      : graph(*topology::build("fbfly", {{"dims", "6x6"}, {"hosts", "1"}},
                               {megabits_per_second(100)})),
        plan(*forwarding::AddressPlan::make(graph)),
        tables(*forwarding::fabric_tables(graph, plan)) {
    walker = std::make_unique<forwarding::TableWalker>(graph, plan, tables);
    sleepable = forwarding::sleepable_links(graph, plan, tables);
    controller = std::make_unique<Controller>(
        graph, *walker, sleepable,
        std::vector<ChannelFacts>(graph.channel_count(),
                                  {.tier = 0, .level_power = {milliwatts(800)}}),
        Safety{.failure_holdoff = seconds(5)}, policy);
    for (std::uint32_t s = 0; s < graph.switch_count(); ++s) controller->joined(now, s);
    for (const LinkId link : links()) {
      if (sleepable.may_sleep[index(link)]) controller->found_asleep(now, link, true);
    }
    pass(seconds(1));
  }
  std::vector<LinkId> links() const {
    std::vector<LinkId> between;
    for (std::uint32_t link = 0; link < graph.link_count(); ++link) {
      if (graph.connects_switches(LinkId{link})) between.push_back(LinkId{link});
    }
    return between;
  }
  std::set<LinkId> in(LinkState state) const {
    std::set<LinkId> found;
    for (const LinkId link : links()) {
      if (controller->link(link).state() == state) found.insert(link);
    }
    return found;
  }
  bool share_a_switch(LinkId one, LinkId two) const {
    const auto& a = graph.link(one);
    const auto& b = graph.link(two);
    return a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b;
  }
  bool detours_over(LinkId link, LinkId other) const {
    for (const ChannelId channel :
         {topology::forward(link), topology::reverse(topology::forward(link))}) {
      for (const ChannelId backup : sleepable.backup_channels[index(channel)]) {
        if (topology::link_of(backup) == other) return true;
      }
    }
    return false;
  }
  // Ten milliseconds at a time. Ports follow; probes come through.
  void pass(Duration time) {
    for (const TimePoint end = now + time; now < end; now += milliseconds(10)) {
      controller->tick(now);
      most_waking = std::max(most_waking, in(LinkState::waking).size());
      for (auto orders = controller->take_orders(); !orders.empty();
           orders = controller->take_orders()) {
        for (const Order& order : orders) {
          controller->answered(now, order, true);
          const auto* port = std::get_if<SetPort>(&order);
          if (port != nullptr) controller->port(now, port->end, port->up);
        }
      }
      for (const LinkId link : links()) {
        if (controller->link(link).state() == LinkState::asleep) continue;
        controller->probe_heard(now, topology::forward(link));
        controller->probe_heard(now, topology::reverse(topology::forward(link)));
      }
    }
  }

  ScriptedPolicy policy;
  topology::Graph graph;
  forwarding::AddressPlan plan;
  std::vector<forwarding::Table> tables;
  std::unique_ptr<forwarding::TableWalker> walker;
  forwarding::SleepableLinks sleepable;
  std::unique_ptr<Controller> controller;
  TimePoint now{seconds(10)};
  std::size_t most_waking = 0;
};

TEST_F(AGrid, WakesOnlyWhatAFailureTouches) {
  const std::set<LinkId> asleep = in(LinkState::asleep);
  ASSERT_EQ(asleep.size(), 120U) << "of 180: the links to coordinate 0 stay";
  const LinkId cut = *in(LinkState::active).begin();
  most_waking = 0;
  controller->port(now, topology::forward(cut), false);
  std::set<LinkId> touched;
  for (const LinkId link : asleep) {
    if (share_a_switch(link, cut) || detours_over(link, cut)) touched.insert(link);
  }
  pass(seconds(5));
  EXPECT_EQ(in(LinkState::failed), std::set<LinkId>{cut});
  std::set<LinkId> woken;
  for (const LinkId link : asleep) {
    if (controller->link(link).state() == LinkState::active) woken.insert(link);
  }
  EXPECT_EQ(woken, touched);
  EXPECT_GT(touched.size(), 0U);
  EXPECT_LT(touched.size(), 40U);
  EXPECT_LE(most_waking, Safety{}.max_concurrent);
  // What is far from it may sleep and wake as before; what is near may not sleep.
  for (const LinkId link : asleep) {
    std::vector<std::string_view> rules;
    for (const RuleCheck& check : controller->checks(now, link)) {
      if (check.objection) rules.push_back(check.rule);
    }
    EXPECT_EQ(std::count(rules.begin(), rules.end(), "failed_links"),
              touched.contains(link) ? 1 : 0)
        << graph.name(graph.link(link).a) << " to " << graph.name(graph.link(link).b);
  }
}

TEST_F(AGrid, WakesWhatASwitchTouchesThatGoes) {
  const std::size_t before = in(LinkState::asleep).size();
  controller->left(now, 14);
  pass(seconds(10));
  const std::size_t after = in(LinkState::asleep).size();
  EXPECT_LT(after, before);
  EXPECT_GT(after, before / 4) << "most of the fabric goes on sleeping";
  EXPECT_LE(most_waking, Safety{}.max_concurrent);
}

// A switch loses all its links, and its host is cut off for good: nothing far from it helps.
TEST_F(AGrid, WakesNothingFarForAHostThatCannotBeHelped) {
  const auto corner = graph.switch_node(35);
  for (const ChannelId output : graph.outputs(corner)) {
    if (graph.connects_switches(output)) controller->port(now, output, false);
  }
  pass(seconds(5));
  for (const LinkId link : links()) {
    if (controller->link(link).state() != LinkState::active || !sleepable.may_sleep[index(link)])
      continue;
    const std::string& why = controller->link(link).why();
    EXPECT_NE(why.find("a link has failed"), std::string::npos) << why;
  }
  EXPECT_GT(in(LinkState::asleep).size(), 60U) << "of 120";
}

// All links of the core at one switch fail: only links that sleep lead to it then.
TEST_F(AGrid, WakesAtOnceWhatHostsNeedThatAreCutOff) {
  const std::set<LinkId> core = in(LinkState::active);
  const auto all_reach_each_other = [&] {
    std::vector<bool> out(graph.link_count());
    for (const LinkId link : links())
      out[index(link)] = controller->link(link).state() != LinkState::active;
    return walker->all_reachable(out);
  };
  std::size_t cut = 0;
  for (const ChannelId output : graph.outputs(graph.switch_node(35))) {
    if (!core.contains(topology::link_of(output))) continue;
    controller->port(now, output, false);
    ++cut;
  }
  ASSERT_EQ(cut, 2U);
  EXPECT_FALSE(all_reach_each_other());
  pass(milliseconds(150));  // a wake takes link_up_hold, 100 ms
  EXPECT_TRUE(all_reach_each_other());
  pass(seconds(3));
  EXPECT_GT(in(LinkState::asleep).size(), 60U) << "of 120";
}

}  // namespace
}  // namespace ebb::controller
