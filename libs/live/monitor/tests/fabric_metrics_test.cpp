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
    orders.given(OrderKind::port_down);
    orders.given(OrderKind::port_down);
    orders.answered(OrderKind::port_down, true, std::chrono::milliseconds(3));
    lag.add(0.002);
    text = page(false);
  }

  [[nodiscard]] std::string page(bool dry_run) const {
    const TimePoint ten{std::chrono::seconds(10)};
    return metrics_text(
        {.fabric = "tour",
         .policy = "stages",
         .at = ten + std::chrono::milliseconds(2500),
         .links = {{"s0-s1", "s0", "s1", LinkState::active, false, dry_run, 0.25, 0.5, awake},
                   {"s1-s2", "s1", "s2", LinkState::asleep, true, false, 0, 0, slept}},
         .switches_here = 2,
         .switches_away = 1,
         .wrong_cables = 1,
         .modelled_all_awake = watts(20),
         .modelled = milliwatts(15'500),
         .modelled_saved = joules(11),
         .ports_down = 2,
         .dry_run = dry_run,
         .would_draw = watts(9),
         .would_have_saved = joules(5),
         .counts = counts,
         .orders = orders,
         .loop_lag = lag});
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
  has("ebb_safety_refusals_total{wish=\"sleep\",rule=\"max_detour_utilisation\"} 2");
  has("ebb_safety_refusals_total{wish=\"wake\",rule=\"min_sleep_time\"} 1");
  has("ebb_orders_given_total{kind=\"port_down\"} 2");
  has("ebb_orders_answered_total{kind=\"port_down\",outcome=\"done\"} 1");
  has("ebb_order_duration_seconds_bucket{kind=\"port_down\",le=\"0.0025\"} 0");
  has("ebb_order_duration_seconds_bucket{kind=\"port_down\",le=\"0.005\"} 1");
  has("ebb_loop_lag_seconds_count 1");
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
