// SPDX-License-Identifier: Apache-2.0
#include "ebb/monitor/fabric_metrics.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace ebb::monitor {
namespace {

using controller::LinkState;

class TheMetrics : public testing::Test {
 protected:
  TheMetrics() {
    const TimePoint ten{std::chrono::seconds(10)};
    slept.add({ten, {}, LinkState::asleep, "the policy asked"});
    tally.decisions = 7;
    tally.actions[policy::Reason::refused] = 3;
    tally.refused_to_sleep["spare"] = 2;
    tally.refused_to_wake["asleep_for"] = 1;
    orders.given(OrderKind::port_down);
    orders.given(OrderKind::port_down);
    orders.answered(OrderKind::port_down, true, std::chrono::milliseconds(3));
    lag.add(0.002);
    text =
        metrics_text({.fabric = "tour",
                      .policy = "stages",
                      .at = ten + std::chrono::milliseconds(2500),
                      .links = {{"s0-s1", "s0", "s1", LinkState::active, false, 0.25, 0.5, awake},
                                {"s1-s2", "s1", "s2", LinkState::asleep, true, 0, 0, slept}},
                      .switches_here = 2,
                      .switches_away = 1,
                      .wrong_cables = 1,
                      .modelled_all_awake = watts(20),
                      .modelled = milliwatts(15'500),
                      .modelled_saved = joules(11),
                      .ports_down = 2,
                      .tally = tally,
                      .orders = orders,
                      .loop_lag = lag});
  }

  void has(const std::string& line) const {
    EXPECT_NE(("\n" + text).find("\n" + line + "\n"), std::string::npos) << line << "\n" << text;
  }

  LinkHistory awake;
  LinkHistory slept;
  controller::Tally tally;
  OrderBook orders;
  Histogram lag = seconds_histogram();
  std::string text;
};

TEST_F(TheMetrics, SayWhatIsKnown) {
  has("ebb_fabric_info{fabric=\"tour\",policy=\"stages\"} 1");
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
  has("ebb_safety_refusals_total{wish=\"sleep\",rule=\"spare\"} 2");
  has("ebb_safety_refusals_total{wish=\"wake\",rule=\"asleep_for\"} 1");
  has("ebb_orders_given_total{kind=\"port_down\"} 2");
  has("ebb_orders_answered_total{kind=\"port_down\",outcome=\"done\"} 1");
  has("ebb_order_duration_seconds_bucket{kind=\"port_down\",le=\"0.0025\"} 0");
  has("ebb_order_duration_seconds_bucket{kind=\"port_down\",le=\"0.005\"} 1");
  has("ebb_loop_lag_seconds_count 1");
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
