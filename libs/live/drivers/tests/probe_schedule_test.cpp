// SPDX-License-Identifier: Apache-2.0
#include "../src/probe_schedule.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ebb::drivers {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using topology::ChannelId;

// Six channels between switches, and six of hosts.
const topology::Graph& triangle() {
  static const topology::Graph graph =
      *topology::build("complete", {{"switches", "3"}, {"hosts", "1"}}, {megabits_per_second(100)});
  return graph;
}

std::map<ChannelId, int> turns_within(ProbeSchedule& probes, TimePoint from, Duration time,
                                      Duration step) {
  std::map<ChannelId, int> turns;
  for (TimePoint now = from; now < from + time; now += step) {
    for (const ChannelId channel : probes.due(now)) ++turns[channel];
  }
  return turns;
}

TEST(ProbeSchedule, GivesEachChannelBetweenSwitchesATurnInEachCycle) {
  ProbeSchedule probes(triangle(), seconds(1));
  EXPECT_EQ(probes.cycle(), Duration(milliseconds(700)));
  const auto turns = turns_within(probes, TimePoint{seconds(5)}, seconds(7), milliseconds(10));
  EXPECT_EQ(turns.size(), 6U);
  for (const auto& [channel, count] : turns) {
    EXPECT_TRUE(triangle().connects_switches(channel));
    EXPECT_GE(count, 9);
    EXPECT_LE(count, 10);
  }
}

// Four turns: that of the last probe that came through, and three that are lost are known with the
// turn after them.
TEST(ProbeSchedule, DetectsWithinThreeIntervals) {
  for (const int ms : {50, 300, 1000, 10'000}) {
    const ProbeSchedule probes(triangle(), milliseconds(ms));
    EXPECT_LT(probes.detection_time(), Duration(3 * milliseconds(ms)));
  }
}

TEST(ProbeSchedule, OfALargeFabricTakesLonger) {
  const auto large =
      *topology::build("fbfly", {{"dims", "40x40"}, {"hosts", "1"}}, {megabits_per_second(100)});
  const ProbeSchedule probes(large, seconds(1));
  // 62,400 links, two directions each, ten thousand probes a second.
  EXPECT_EQ(probes.cycle(), Duration(milliseconds(12'480)));
}

TEST(ProbeSchedule, KnowsWhichProbeIsOutstanding) {
  ProbeSchedule probes(triangle(), seconds(1));
  const ChannelId channel = triangle().outputs(triangle().switch_node(0)).back();
  EXPECT_FALSE(probes.outstanding(channel));
  const TimePoint sent{seconds(3)};
  const std::uint64_t number = probes.send(sent, channel);
  EXPECT_EQ(probes.outstanding(channel), sent);
  EXPECT_TRUE(probes.heard(channel, number));
  EXPECT_FALSE(probes.outstanding(channel));
}

TEST(ProbeSchedule, DoesNotBelieveAProbeTwiceNorOneThatWasNeverSent) {
  ProbeSchedule probes(triangle(), seconds(1));
  const ChannelId channel = triangle().outputs(triangle().switch_node(0)).back();
  const std::uint64_t first = probes.send(TimePoint{seconds(1)}, channel);
  const std::uint64_t second = probes.send(TimePoint{seconds(2)}, channel);
  EXPECT_FALSE(probes.heard(channel, second + 1));
  EXPECT_TRUE(probes.heard(channel, second));
  EXPECT_FALSE(probes.heard(channel, second)) << "somebody sends it again";
  EXPECT_FALSE(probes.heard(channel, first)) << "or an old one";
}

// A controller that did not run cannot say who was silent.
TEST(ProbeSchedule, ForgetsWhatIsOutstandingWhenNobodyAsked) {
  ProbeSchedule probes(triangle(), seconds(1));
  const ChannelId channel = triangle().outputs(triangle().switch_node(0)).back();
  (void)probes.due(TimePoint{seconds(1)});
  (void)probes.send(TimePoint{seconds(1)}, channel);
  (void)probes.due(TimePoint{seconds(1)} + milliseconds(300));
  EXPECT_TRUE(probes.outstanding(channel));
  (void)probes.due(TimePoint{seconds(3)});
  EXPECT_FALSE(probes.outstanding(channel));
  // It does not catch up on the turns that it missed.
  EXPECT_LE(turns_within(probes, TimePoint{seconds(3)}, milliseconds(50), milliseconds(10)).size(),
            6U);
}

}  // namespace
}  // namespace ebb::drivers
