// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/fabric_metrics.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace ebb::monitor {
namespace {

TEST(Exposition, WritesFamiliesAndSamples) {
  Exposition page;
  page.family("a_total", Kind::counter, "How many.");
  page.sample({}, 3);
  page.sample({{"x", "1"}, {"y", "two"}}, 0.25);
  EXPECT_EQ(page.text(),
            "# HELP a_total How many.\n# TYPE a_total counter\n"
            "a_total 3\na_total{x=\"1\",y=\"two\"} 0.25\n");
}

TEST(Exposition, EscapesWhatWouldEndALabelOrALine) {
  Exposition page;
  page.family("a", Kind::gauge, "back\\slash\nand \"quotes\"");
  page.sample({{"x", "q\" b\\ n\n"}}, std::numeric_limits<double>::infinity());
  EXPECT_EQ(page.text(),
            "# HELP a back\\\\slash\\nand \"quotes\"\n# TYPE a gauge\n"
            "a{x=\"q\\\" b\\\\ n\\n\"} +Inf\n");
}

TEST(Exposition, AddsUpTheBucketsOfAHistogram) {
  Histogram lag({1, 2});
  for (const double value : {0.5, 1.0, 1.5, 7.0}) lag.add(value);
  Exposition page;
  page.family("lag", Kind::histogram, "h");
  page.histogram({{"x", "y"}}, lag);
  EXPECT_EQ(page.text(),
            "# HELP lag h\n# TYPE lag histogram\n"
            "lag_bucket{x=\"y\",le=\"1\"} 2\nlag_bucket{x=\"y\",le=\"2\"} 3\n"
            "lag_bucket{x=\"y\",le=\"+Inf\"} 4\nlag_sum{x=\"y\"} 10\nlag_count{x=\"y\"} 4\n");
}

using controller::LinkState;

TimePoint at(int seconds) { return TimePoint{std::chrono::seconds(seconds)}; }

TEST(LinkHistory, CountsTimeAsleepAlsoOfASleepThatGoesOn) {
  LinkHistory history;
  EXPECT_EQ(history.asleep(at(9)), Duration{});
  history.add({at(10), {}, LinkState::asleep, "the policy asked"});
  history.add({at(13), {}, LinkState::waking, "the policy asked"});
  history.add({at(14), {}, LinkState::active, "the policy asked"});
  history.add({at(20), {}, LinkState::asleep, "again"});
  EXPECT_EQ(history.asleep(at(25)), std::chrono::seconds(3 + 5));
  EXPECT_EQ(history.entered(LinkState::asleep), 2U);
  EXPECT_EQ(history.entered(LinkState::failed), 0U);
  EXPECT_EQ(history.last().front().why, "again");
}

TEST(LinkHistory, DoesNotCountWhatADryRunOnlySaid) {
  LinkHistory history;
  history.add({at(10), {}, LinkState::asleep, "would sleep", true});
  EXPECT_EQ(history.entered(LinkState::asleep), 0U);
  EXPECT_EQ(history.asleep(at(25)), Duration{});
  EXPECT_EQ(history.last().size(), 1U);
}

TEST(LinkHistory, KeepsTheLatestTen) {
  LinkHistory history;
  for (int i = 0; i < 12; ++i) history.add({at(i), {}, LinkState::active, std::to_string(i)});
  EXPECT_EQ(history.last().size(), 10U);
  EXPECT_EQ(history.last().front().why, "11");
  EXPECT_EQ(history.last().back().why, "2");
}

// A new rate and a link that is found as it was left are lines of the journal, and no transitions.
TEST(LinkHistory, CountsOnlyTransitions) {
  LinkHistory history;
  history.add({at(1), {}, LinkState::active, "slowed to 10 Mb/s"});
  history.add({at(2), {}, LinkState::asleep, "the policy asked"});
  history.add({at(3), {}, LinkState::asleep, "was found asleep"});
  history.add({at(4), {}, LinkState::asleep, "would wake", true});
  EXPECT_EQ(history.entered(LinkState::active), 0U);
  EXPECT_EQ(history.entered(LinkState::asleep), 1U);
  EXPECT_EQ(history.asleep(at(10)), std::chrono::seconds(8));
  EXPECT_EQ(history.last().size(), 4U) << "all of them are shown";
}

TEST(LinkHistory, BeginsAsAnEarlierControllerLeftTheLink) {
  LinkHistory history;
  history.begin(LinkState::asleep);
  history.add({TimePoint{std::chrono::seconds(1)}, {}, LinkState::asleep, "was found asleep"});
  EXPECT_EQ(history.entered(LinkState::asleep), 0U);
  EXPECT_EQ(history.asleep(TimePoint{std::chrono::seconds(5)}), std::chrono::seconds(5));
}

TEST(PortsThatAreDown, AreThoseThatWereSeen) {
  const topology::LinkId link{3};
  const topology::ChannelId forth = topology::forward(link);
  PortsDown down;
  down.changed({{}, link, LinkState::draining, ""});
  EXPECT_EQ(down.ends().size(), 0U) << "it still carries frames";
  down.changed({{}, link, LinkState::asleep, "would sleep", true});
  EXPECT_EQ(down.ends().size(), 0U) << "a dry run has done nothing";
  down.changed({{}, link, LinkState::asleep, ""});
  EXPECT_EQ(down.ends().size(), 2U);
  down.changed({{}, link, LinkState::waking, ""});
  EXPECT_EQ(down.ends().size(), 2U) << "nothing was answered yet";
  down.answered(controller::SetPort{forth, true}, false);
  EXPECT_EQ(down.ends().size(), 2U) << "the switch refused";
  down.answered(controller::SetPort{forth, true}, true);
  EXPECT_EQ(down.ends().size(), 1U);
  down.changed({{}, link, LinkState::active, ""});
  EXPECT_EQ(down.ends().size(), 0U);
}

using controller::LinkState;

class TheMetrics : public testing::Test {
 protected:
  TheMetrics() {
    const TimePoint ten{std::chrono::seconds(10)};
    slept.add({ten, {}, LinkState::asleep, "the policy asked"});
    counts.decisions = 7;
    counts.actions[policy::Reason::refused] = 3;
    counts.refused_to_sleep["max_detour_utilisation"] = 2;
    counts.refused_to_wake["min_sleep_time"] = 1;
    counts.woken_by_full_detours = 5;
    orders.given(OrderKind::port_down);
    orders.given(OrderKind::port_down);
    orders.answered(OrderKind::port_down, true, std::chrono::milliseconds(3));
    lag.add(0.002);
    text = page(false);
  }

  [[nodiscard]] std::string page(bool dry_run) const {
    const TimePoint ten{std::chrono::seconds(10)};
    return metrics_text(
        {.controller = itself(dry_run),
         .at = ten + std::chrono::milliseconds(2500),
         .links = {{"s0-s1", "s0", "s1", LinkState::active, false, dry_run, 0.25, 0.5, awake},
                   {"s1-s2", "s1", "s2", LinkState::asleep, true, false, 0, 0, slept, true,
                    megabits_per_second(10), std::chrono::milliseconds(250)}},
         .switches_here = 2,
         .switches_away = 1,
         .wrong_cables = 1,
         .modelled_all_awake = watts(20),
         .modelled = milliwatts(15'500),
         .modelled_saved = joules(11),
         .ports_down = 2,
         .would_draw = watts(9),
         .would_have_saved = joules(5),
         .counts = counts,
         .orders = orders});
  }
  [[nodiscard]] ControllerMetrics itself(bool dry_run) const {
    return {.fabric = "tour",
            .policy = "stages",
            .dry_run = dry_run,
            .leads = true,
            .generation = 4,
            .loop_lag = lag,
            .saves_failed = 3,
            .records = {{"audit", true}, {"log", false}}};
  }

  void has(const std::string& line) const {
    EXPECT_NE(("\n" + text).find("\n" + line + "\n"), std::string::npos) << line << "\n" << text;
  }

  LinkHistory awake;
  LinkHistory slept;
  controller::DecisionCounts counts;
  OrderBook orders;
  Histogram lag = seconds_histogram();
  std::string text;
};

TEST_F(TheMetrics, SayWhatIsKnown) {
  has("ebb_fabric_info{fabric=\"tour\",policy=\"stages\",dry_run=\"false\"} 1");
  has("ebb_links{state=\"asleep\"} 1");
  has("ebb_links{state=\"failed\"} 0");
  has("ebb_link_state{link=\"s1-s2\",state=\"asleep\"} 1");
  has("ebb_link_state{link=\"s0-s1\",state=\"asleep\"} 0");
  has("ebb_link_utilization_ratio{link=\"s0-s1\",from=\"s0\",to=\"s1\"} 0.25");
  has("ebb_link_utilization_ratio{link=\"s0-s1\",from=\"s1\",to=\"s0\"} 0.5");
  has("ebb_link_asleep_seconds_total{link=\"s1-s2\"} 2.5");
  has("ebb_link_transitions_total{link=\"s1-s2\",to=\"asleep\"} 1");
  has("ebb_switches{presence=\"away\"} 1");
  has("ebb_wrong_cables 1");
  has("ebb_modelled_all_awake_power_watts 20");
  has("ebb_modelled_power_watts 15.5");
  has("ebb_modelled_saved_joules_total 11");
  has("ebb_actuated_ports_down 2");
  has("ebb_policy_decisions_total 7");
  has("ebb_policy_actions_total{outcome=\"refused\"} 3");
  has("ebb_full_detour_wakes_total 5");
  has("ebb_safety_refusals_total{wish=\"sleep\",rule=\"max_detour_utilisation\"} 2");
  has("ebb_safety_refusals_total{wish=\"wake\",rule=\"min_sleep_time\"} 1");
  has("ebb_orders_given_total{kind=\"port_down\"} 2");
  has("ebb_orders_answered_total{kind=\"port_down\",outcome=\"done\"} 1");
  has("ebb_order_duration_seconds_bucket{kind=\"port_down\",le=\"0.0025\"} 0");
  has("ebb_order_duration_seconds_bucket{kind=\"port_down\",le=\"0.005\"} 1");
  has("ebb_loop_lag_seconds_count 1");
  has("ebb_controller_role{role=\"leader\"} 1");
  has("ebb_controller_role{role=\"standby\"} 0");
  has("ebb_controller_generation 4");
  has("ebb_record_failing{record=\"audit\"} 1");
  has("ebb_state_save_failures_total 3");
  has("ebb_link_drained{link=\"s1-s2\"} 1");
  has("ebb_link_rate_bytes_per_second{link=\"s1-s2\"} 1250000");
  has("ebb_link_load_age_seconds{link=\"s1-s2\"} 0.25");
  EXPECT_EQ(text.find("ebb_link_probe_age_seconds{link"), std::string::npos) << "none came";
  has("ebb_record_failing{record=\"log\"} 0");
}

TEST_F(TheMetrics, OfAStandbyAreItsOwnAlone) {
  ControllerMetrics standby = itself(false);
  standby.leads = false;
  text = metrics_text(standby);
  has("ebb_controller_role{role=\"standby\"} 1");
  has("ebb_controller_generation 4");
  for (const char* name : {"ebb_link", "ebb_switches", "ebb_orders", "ebb_modelled"})
    EXPECT_EQ(text.find(name), std::string::npos) << name;
}

// Nothing that a scraper sums up as done or saved has the name that it has when it was.
TEST_F(TheMetrics, OfADryRunHaveNamesOfTheirOwn) {
  const std::string done = text;
  EXPECT_EQ(done.find("dry_run_"), std::string::npos);
  text = page(true);
  has("ebb_fabric_info{fabric=\"tour\",policy=\"stages\",dry_run=\"true\"} 1");
  has("ebb_dry_run_links_would_sleep 1");
  has("ebb_dry_run_link_would_sleep{link=\"s0-s1\"} 1");
  has("ebb_dry_run_would_draw_power_watts 9");
  has("ebb_dry_run_would_have_saved_joules_total 5");
  has("ebb_dry_run_policy_actions_total{outcome=\"refused\"} 3");
  has("ebb_modelled_all_awake_power_watts 20");
  for (const char* name :
       {"actuated", "ebb_modelled_saved", "ebb_modelled_power", "ebb_orders", "ebb_order_",
        "ebb_policy", "ebb_safety", "ebb_link_asleep_seconds", "ebb_link_transitions"})
    EXPECT_EQ(text.find(name), std::string::npos) << name;
}

TEST_F(TheMetrics, ClaimNothingMeasured) { EXPECT_EQ(text.find("measured"), std::string::npos); }

// Prometheus' own tool reads them and finds nothing to complain about.
TEST_F(TheMetrics, PleasePromtool) {
  if (std::system("promtool --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no promtool; apt-get install prometheus";
  std::FILE* tool = popen("promtool check metrics 1>&2", "w");
  ASSERT_NE(tool, nullptr);
  std::fwrite(text.data(), 1, text.size(), tool);
  EXPECT_EQ(pclose(tool), 0);
}

}  // namespace
}  // namespace ebb::monitor
