// SPDX-License-Identifier: Apache-2.0
//
// The controller when cables, counters and switches fail in ways that ports do not tell, against
// switches that speak OpenFlow 1.3 over TCP and do wrong what a test says.
#include "running_controller.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>

namespace ebb::runtime {
namespace {

using topology::ChannelId;
using topology::LinkId;
using transport::Clock;

constexpr auto kInterval = std::chrono::milliseconds(300);

std::string triangle_with(const std::string& policy = "always-on") {
  return "schema_version: 1\nname: triangle\n"
         "topology: {family: complete, switches: 3, hosts: 1}\n"
         "policy: {name: " +
         policy + (policy == "stages" ? ", period: 500ms" : "") +
         "}\n"
         "safety: {min_awake_time: 0s, min_sleep_time: 0s, failure_holdoff: 500ms, wake_limit: 2s,"
         " probe_interval: 300ms, max_counter_age: 500ms}\n";
}

class Failures : public ::testing::Test {
 protected:
  explicit Failures(const std::string& policy = "always-on")
      : running_(triangle_with(policy), {.state = {}, .log = records_.file("log.jsonl")}) {}
  void SetUp() override {
    ASSERT_TRUE(running_.connect_switches());
    ASSERT_TRUE(running_.wait_until([this] {
      return running_.has_said("all switches are here, and cables run as described");
    }));
  }

  [[nodiscard]] ChannelId channel(std::uint32_t from, std::uint32_t to) const {
    for (const ChannelId one : running_.graph().outputs(running_.graph().switch_node(from))) {
      if (running_.graph().target(one) == running_.graph().switch_node(to)) return one;
    }
    ADD_FAILURE() << "no such channel";
    return {};
  }
  [[nodiscard]] LinkId link(std::uint32_t a, std::uint32_t b) const {
    return topology::link_of(channel(a, b));
  }
  [[nodiscard]] bool is_bypassed(ChannelId end) {
    return running_.with_switches([=](auto& played) { return played.is_bypassed(end); });
  }
  [[nodiscard]] bool is_down(ChannelId end) {
    return running_.with_switches([=](auto& played) { return played.is_down(end); });
  }
  [[nodiscard]] bool becomes(const std::string& link, const std::string& state) {
    return running_.wait_until([&] { return running_.state_of(link) == state; });
  }
  [[nodiscard]] std::string why(const std::string& link) {
    const auto explained = nlohmann::json::parse(running_.ask("explain " + link), nullptr, false);
    return explained.is_discarded() ? "" : explained.dump();
  }

  test::TemporaryFolder records_;
  RunningController running_;
};

class FailuresWithStages : public Failures {
 protected:
  FailuresWithStages() : Failures("stages") {}
};

// Ports stay up and counters count: only probes show it.
TEST_F(Failures, ACableThatLosesFramesOneWayIsDivertedWithinThreeIntervals) {
  const ChannelId lossy = channel(2, 0);
  const auto began = Clock::now();
  running_.with_switches([=](auto& played) { played.lose(lossy, true); });
  ASSERT_TRUE(running_.wait_until([&] { return is_bypassed(lossy); }));
  // The time of a switch that is played on a busy machine comes on top; fabric.liveness measures
  // it.
  EXPECT_LE(Clock::now() - began, 3 * kInterval + std::chrono::seconds(1));
  EXPECT_TRUE(becomes("s0-s2", "failed"));
  EXPECT_NE(why("s0-s2").find("probes from s2 to s0 are lost"), std::string::npos) << why("s0-s2");
  EXPECT_TRUE(is_bypassed(channel(0, 2))) << "the other way as well";
  running_.with_switches([=](auto& played) { played.lose(lossy, false); });
  EXPECT_TRUE(becomes("s0-s2", "active"));
  EXPECT_FALSE(is_bypassed(lossy));
}

// Its queue is full, and probes are lost with other frames; what it sends comes in at the other
// end.
TEST_F(Failures, ALinkThatIsUsedUpDoesNotFailByTheProbesThatItLoses) {
  running_.set_load(0.95);
  std::this_thread::sleep_for(3 * kInterval);
  running_.with_switches([&](auto& played) { played.lose(channel(2, 0), true); });
  std::this_thread::sleep_for(6 * kInterval);
  EXPECT_FALSE(running_.has_said("s0-s2 failed"));
  running_.set_load(0);
  EXPECT_TRUE(becomes("s0-s2", "failed")) << "without load it shows";
}

TEST_F(Failures, ADeadCableIsNotUsedWhenItIsWoken) {
  ASSERT_TRUE(running_.wait_until([&] { return running_.ask("drain s1-s2") == "done"; }));
  ASSERT_TRUE(becomes("s1-s2", "asleep"));
  running_.with_switches([&](auto& played) {
    played.lose(channel(1, 2), true);
    played.lose(channel(2, 1), true);
  });
  ASSERT_EQ(running_.ask("undrain s1-s2"), "done");
  ASSERT_TRUE(becomes("s1-s2", "failed"));
  EXPECT_TRUE(is_bypassed(channel(1, 2)));
  EXPECT_FALSE(is_down(channel(1, 2))) << "its ports are up, and carry nothing";
}

TEST_F(Failures, CablesThatWereSwappedAreDiverted) {
  running_.with_switches([&](auto& played) { played.swap_cables(link(0, 1), link(1, 2)); });
  EXPECT_TRUE(becomes("s0-s1", "failed"));
  EXPECT_TRUE(becomes("s1-s2", "failed"));
  EXPECT_TRUE(running_.has_said("wrong cable: s0 port 2 should lead to s1 port 2"));
  EXPECT_EQ(running_.state_of("s0-s2"), "active");
}

TEST_F(Failures, CountersThatStopAreNotTakenForIdleLinks) {
  running_.with_switches([](auto& played) { played.freeze_counters(0, true); });
  ASSERT_TRUE(running_.wait_until([&] {
    return why("s1-s2").find("its load is not known") != std::string::npos;
  })) << why("s1-s2");
  EXPECT_TRUE(
      running_.wait_until([&] { return running_.has_said("s0 has not told its counters for"); }));
  EXPECT_NE(running_.ask("drain s1-s2").find("its load is not known"), std::string::npos);
}

TEST_F(Failures, ALinkThatWasDrainedStaysDownWhenAnotherFails) {
  ASSERT_TRUE(running_.wait_until([&] { return running_.ask("drain s1-s2") == "done"; }));
  ASSERT_TRUE(becomes("s1-s2", "asleep"));
  running_.with_switches([&](auto& played) { played.cut(link(0, 1)); });
  ASSERT_TRUE(becomes("s0-s1", "failed"));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  EXPECT_TRUE(is_down(channel(1, 2)));
  EXPECT_TRUE(is_down(channel(2, 1)));
  EXPECT_EQ(running_.state_of("s1-s2"), "asleep");
}

TEST_F(Failures, ALinkThatWasDrainedStaysDownWhenTheControllerGoes) {
  ASSERT_TRUE(running_.wait_until([&] { return running_.ask("drain s1-s2") == "done"; }));
  ASSERT_TRUE(becomes("s1-s2", "asleep"));
  const RunEnd end = running_.stop();
  EXPECT_EQ(end.kind, RunEnd::Kind::done) << to_string(end.errors);
  EXPECT_TRUE(is_down(channel(1, 2)));
  EXPECT_TRUE(is_down(channel(2, 1)));
}

// A switch refuses to use a link again: it is asked until it does.
TEST_F(FailuresWithStages, GroupsThatWereRefusedAreGivenAgain) {
  ASSERT_TRUE(becomes("s1-s2", "asleep"));
  running_.with_switches([](auto& played) { played.refuse_bundles(1, 3); });
  running_.with_switches([&](auto& played) { played.cut(link(0, 1)); });
  EXPECT_TRUE(running_.wait_until([&] { return !is_bypassed(channel(1, 2)); }));
  EXPECT_TRUE(becomes("s1-s2", "active"));
}

// Its lease is its own, and yet all switches obey another: somebody who has another folder.
TEST(SeparateLeases, AreAnAlarm) {
  RunningController running(triangle_with(), {.state = {}, .standby = true});
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.has_said("all switches are here"); }));
  running.with_switches([](auto& played) {
    for (std::uint32_t device = 0; device < 3; ++device) played.deny_mastership(device, true);
  });
  EXPECT_TRUE(running.wait_until([&] {
    return running.has_said("ALARM: another controller leads that does not share the lease in");
  })) << running.said();
  EXPECT_FALSE(running.has_ended()) << "it stands by, and tries again later";
}

// Their defaults are made for channels that look after themselves, each direction for itself.
TEST(Policies, ThatAskForMoreThanLiveSwitchesDoAreRefusedWhenTheFileIsRead) {
  const std::map<std::string, std::string> reasons = {
      {"on-demand", "after 1ns idle, but counters are read every 100ms"},
      {"history", "after 1ns idle, but counters are read every 100ms"},
      {"latency-budget", "after 1ns idle, but counters are read every 100ms"},
      {"power-cap", "it needs 'channels: paired'"},
      {"elastic", "it needs 'channels: paired'"},
      {"elastic, channels: paired", "nothing is known of that; policies that can: "},
      {"shutdown", "but a port has one both ways; policies that can: "}};
  for (const auto& [policy, reason] : reasons) {
    test::TemporaryFolder folder;
    RunOptions options;
    options.state.path = folder.file("state");
    options.remote.listen = "tcp:127.0.0.1:0";
    options.ports = "snmp";
    options.devices = folder.file("devices.yaml");
    options.file = folder.file("fabric.yaml");
    std::ofstream(options.file) << "schema_version: 1\nname: triangle\n"
                                   "topology: {family: complete, switches: 3, hosts: 1, "
                                   "rates: [2Mb/s, 200Mb/s]}\npolicy: {name: "
                                << policy << "}\n";
    const RunEnd end = run_controller(options, {.load_parts = [] { return power::Library{}; }});
    EXPECT_EQ(end.kind, RunEnd::Kind::bad_input) << policy;
    EXPECT_NE(to_string(end.errors).find(reason), std::string::npos) << to_string(end.errors);
  }
}

// A switch does not say that a port went down: it is looked at from time to time.
TEST_F(Failures, APortThatChangesInSilenceIsSeen) {
  running_.with_switches([&](auto& played) {
    for (std::uint32_t device = 0; device < 3; ++device) played.mute_ports(device, true);
    played.cut(link(0, 1));
  });
  EXPECT_TRUE(becomes("s0-s1", "failed"));
}

}  // namespace
}  // namespace ebb::runtime
