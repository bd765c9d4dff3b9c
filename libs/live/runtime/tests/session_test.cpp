// SPDX-License-Identifier: Apache-2.0
//
// The controller as a process runs it, against switches that speak OpenFlow 1.3 over TCP.
#include "ebb/runtime/session.hpp"

#include "running_controller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace ebb::runtime {
namespace {

using topology::LinkId;

// A triangle with all switches connected and cables checked.
class Triangle : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(running_.connect_switches());
    ASSERT_TRUE(running_.wait_until([this] {
      return running_.has_said("all switches are here, and cables run as described");
    }));
  }

  [[nodiscard]] LinkId link(const std::string& name) const {
    for (std::uint32_t which = 0; which < running_.graph().link_count(); ++which) {
      const auto& ends = running_.graph().link(LinkId{which});
      if (running_.graph().name(ends.a) + "-" + running_.graph().name(ends.b) == name)
        return LinkId{which};
    }
    ADD_FAILURE() << "no link " << name;
    return LinkId{0};
  }
  // The controller takes note of the checked cables within a tenth of a second.
  [[nodiscard]] bool drain(const std::string& link) {
    return running_.wait_until([&] { return running_.ask("drain " + link) == "done"; });
  }
  [[nodiscard]] std::string log() const { return running_.options().log; }

  test::TemporaryFolder records_;
  RunningController running_{kTriangle, {.state = {}, .log = records_.file("log.jsonl")}};
};

TEST_F(Triangle, ComesUpWithAllItsSwitches) {
  ASSERT_TRUE(running_.wait_until([this] { return running_.all_here(); }));
  const auto status = running_.status();
  EXPECT_EQ(status["fabric"], "triangle");
  EXPECT_EQ(status["switches"], 3);
  EXPECT_TRUE(status["wrong_cables"].empty());
  EXPECT_EQ(status["links"].size(), 3U);  // between switches: links of hosts are not shown
  EXPECT_EQ(running_.state_of("s0-s1"), "active");
  for (std::uint32_t device = 0; device < 3; ++device) {
    EXPECT_GT(running_.with_switches([=](auto& played) { return played.installed(device); }), 0U)
        << "switch " << device << " got no tables";
  }
  EXPECT_EQ(running_.events(log(), "began").size(), 1U);
}

TEST_F(Triangle, SeesASwitchLeaveAndComeBack) {
  ASSERT_TRUE(running_.wait_until([this] { return running_.all_here(); }));
  running_.with_switches([](auto& played) { played.leave(2); });
  ASSERT_TRUE(running_.wait_until([this] {
    const auto status = running_.status();
    return status["switches_away"] == nlohmann::ordered_json::array({"s2"});
  })) << running_.status()["switches_away"].dump();
  EXPECT_FALSE(running_.all_here());
  running_.with_switches([](auto& played) { played.come_back(2); });
  EXPECT_TRUE(running_.wait_until([this] { return running_.all_here(); }));
  static_cast<void>(running_.stop());
  // It came, left and came. A slow machine may have more to log of s2 in between.
  std::vector<std::string> events;
  std::ifstream in(log());
  for (std::string line; std::getline(in, line);) {
    const auto json = nlohmann::json::parse(line);
    if (!json.contains("switch") || json["switch"] != "s2") continue;
    if (json["event"] == "switch_here" || json["event"] == "switch_gone")
      events.push_back(json["event"]);
  }
  EXPECT_EQ(events, (std::vector<std::string>{"switch_here", "switch_gone", "switch_here"}));
}

TEST_F(Triangle, DrainsALinkAndBringsItBack) {
  const LinkId sleeps = link("s1-s2");
  ASSERT_TRUE(drain("s1-s2"));
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
  const auto is_down = [&](auto& played) { return played.is_down(topology::forward(sleeps)); };
  EXPECT_TRUE(running_.with_switches(is_down)) << "the port of a sleeping link is down";
  EXPECT_EQ(running_.state_of("s0-s1"), "active");
  ASSERT_EQ(running_.ask("undrain s1-s2"), "done");
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "active"; }));
  EXPECT_FALSE(running_.with_switches(is_down));
}

// An operator may drain a link of the connected core while others join the hosts. With s1-s2 asleep
// they do not.
TEST_F(Triangle, DoesNotDrainWhatHostsNeed) {
  ASSERT_TRUE(drain("s1-s2"));
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
  const std::string answer = running_.ask("drain s0-s1");
  EXPECT_NE(answer, "done");
  EXPECT_FALSE(answer.starts_with("error:")) << answer;
  EXPECT_EQ(running_.state_of("s0-s1"), "active");
}

TEST_F(Triangle, AnswersOrdersThatItDoesNotKnowWithAReason) {
  EXPECT_EQ(running_.ask("drain s7-s8"), "there is no such link; ebb fabric status lists them");
  EXPECT_EQ(running_.ask("explain s7-s8"), "there is no such link; ebb fabric status lists them");
  EXPECT_EQ(running_.ask("burn s1-s2"), "drain, undrain or explain?");
  EXPECT_EQ(running_.ask("drain"), "there is no such link; ebb fabric status lists them");
  EXPECT_EQ(running_.state_of("s1-s2"), "active");
}

TEST_F(Triangle, SeesACableThatIsCut) {
  const LinkId cut = link("s0-s1");
  running_.with_switches([=](auto& played) { played.cut(cut); });
  EXPECT_TRUE(running_.wait_until([this] { return running_.state_of("s0-s1") == "failed"; }))
      << running_.state_of("s0-s1");
  EXPECT_EQ(running_.state_of("s0-s2"), "active");
}

// Of a switch that is not here nobody has seen a port, whatever its link is called.
TEST_F(Triangle, CountsPortsThatWereSeenDown) {
  const auto ports_down = [this] { return running_.status()["actuated"]["ports_down"]; };
  ASSERT_TRUE(drain("s1-s2"));
  ASSERT_TRUE(running_.wait_until([&] { return ports_down() == 2; }));
  running_.with_switches([](auto& played) { played.leave(2); });
  EXPECT_TRUE(running_.wait_until([&] { return ports_down() == 1; })) << ports_down();
}

TEST_F(Triangle, WritesDownWhatAnOperatorAsks) {
  ASSERT_TRUE(drain("s1-s2"));
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
  static_cast<void>(running_.stop());
  const std::string audit = running_.options().state.controller("triangle") + "/audit.jsonl";
  const auto asked = running_.events(audit, "operator");
  ASSERT_FALSE(asked.empty());
  EXPECT_EQ(asked.back()["says"], "drain s1-s2");
  EXPECT_EQ(asked.back()["answer"], "done");
  EXPECT_EQ(asked.back()["uid"], getuid());
  // Every order has its answer.
  EXPECT_GT(running_.events(audit, "order").size(), 0U);
  EXPECT_EQ(running_.events(audit, "order").size(), running_.events(audit, "answer").size());
}

TEST(Stages, WakesEverythingBeforeItEnds) {
  RunningController running(std::string(kTriangle) + "policy: {name: stages, period: 500ms}\n");
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.state_of("s1-s2") == "asleep"; }));
  const RunEnd end = running.stop();
  EXPECT_EQ(end.kind, RunEnd::Kind::done) << to_string(end.errors);
  EXPECT_EQ(running.state_of("s1-s2"), "active");
}

TEST_F(Triangle, EndsWhenItsFabricGoes) {
  dismiss_controller(running_.options().state.control("triangle"));
  EXPECT_TRUE(running_.wait_until([this] { return running_.has_ended(); }));
  EXPECT_TRUE(running_.has_said("the fabric is taken down"));
}

TEST_F(Triangle, WritesDownWhoSaidThatItsFabricGoes) {
  dismiss_controller(running_.options().state.control("triangle"));
  EXPECT_EQ(running_.end().kind, RunEnd::Kind::done) << "no link slept";
  const std::string audit = running_.options().state.controller("triangle") + "/audit.jsonl";
  const auto asked = running_.events(audit, "operator");
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0]["says"], kFabricGoes);
  EXPECT_EQ(asked[0]["uid"], getuid());
}

// Ports stay down, so nobody may take it for a good end.
TEST_F(Triangle, EndsWithAnErrorWhenItsFabricGoesWhileALinkSleeps) {
  ASSERT_TRUE(drain("s1-s2"));
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
  dismiss_controller(running_.options().state.control("triangle"));
  const RunEnd end = running_.end();
  EXPECT_EQ(end.kind, RunEnd::Kind::outside);
  EXPECT_NE(to_string(end.errors).find("1 link sleeps"), std::string::npos)
      << to_string(end.errors);
  const std::string audit = running_.options().state.controller("triangle") + "/audit.jsonl";
  EXPECT_EQ(running_.events(audit, "ended").back()["links_asleep"], 1);
}

TEST_F(Triangle, EndsWithAnErrorWhenItsFolderVanishesWhileALinkSleeps) {
  ASSERT_TRUE(drain("s1-s2"));
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
  std::filesystem::remove_all(running_.options().state.fabric("triangle"));
  EXPECT_EQ(running_.end().kind, RunEnd::Kind::outside);
}

// A full disk is no reason to leave a fabric alone.
TEST_F(Triangle, GoesOnWhenItsStatusCannotBeWritten) {
  const std::string status = running_.options().state.controller("triangle") + "/status.json.new";
  ASSERT_TRUE(running_.wait_until([this] { return running_.all_here(); }));
  std::filesystem::create_directories(status + "/occupied");
  EXPECT_TRUE(running_.wait_until([this] { return running_.has_said("status: "); }));
  EXPECT_FALSE(running_.has_ended());
  EXPECT_TRUE(drain("s1-s2"));
  std::filesystem::remove_all(status);
  EXPECT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
}

// The folder of a controller is in /run, which is empty after a reboot of the machine.
TEST(DrainedLink, StaysDrainedWhenTheFolderOfTheControllerVanishes) {
  test::TemporaryFolder kept;
  RunOptions options;
  options.persist = kept.file("lib");
  const auto is_drained = [](const RunningController& running) {
    const auto told = nlohmann::json::parse(running.ask("explain s1-s2"), nullptr, false);
    return !told.is_discarded() && told["drained"].get<bool>();
  };
  {
    RunningController running(kTriangle, options);
    ASSERT_TRUE(running.connect_switches());
    ASSERT_TRUE(running.wait_until([&] { return running.ask("drain s1-s2") == "done"; }));
    ASSERT_TRUE(running.wait_until([&] { return running.state_of("s1-s2") == "asleep"; }));
  }
  // Each has a folder of its own.
  {
    RunningController next(kTriangle, options);
    ASSERT_TRUE(next.connect_switches());
    ASSERT_TRUE(next.wait_until([&] { return next.has_said("s1-s2 asleep: "); }));
    EXPECT_TRUE(is_drained(next));
    EXPECT_TRUE(next.has_said("leads, generation 2")) << "generations go on";
    ASSERT_TRUE(next.wait_until([&] { return next.ask("undrain s1-s2") == "done"; }));
    ASSERT_TRUE(next.wait_until([&] { return next.state_of("s1-s2") == "active"; }));
  }
  RunningController last(kTriangle, options);
  ASSERT_TRUE(last.connect_switches());
  ASSERT_TRUE(last.wait_until([&] { return last.all_here(); }));
  EXPECT_FALSE(is_drained(last));
}

TEST(DrainedLink, IsSaidWhenItCannotBeKept) {
  test::TemporaryFolder kept;
  RunOptions options;
  options.persist = kept.file("lib");
  std::ofstream(options.persist) << "not a folder";
  RunningController running(kTriangle, options);
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.ask("drain s1-s2") == "done"; }));
  EXPECT_TRUE(running.wait_until([&] { return running.has_said("persist: "); }));
  std::filesystem::remove(options.persist);
  EXPECT_TRUE(running.wait_until(
      [&] { return std::filesystem::exists(options.persist + "/triangle/state.1.json"); }));
}

// What systemd starts when a controller has failed for good.
TEST(Wake, EnablesPortsThatAControllerLeftDown) {
  RunningController running(std::string(kTriangle) + "policy: {name: stages, period: 500ms}\n");
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.state_of("s1-s2") == "asleep"; }));
  const auto ports_down = [&](auto& played) {
    int down = 0;
    for (std::uint32_t which = 0; which < 2 * running.graph().link_count(); ++which)
      down += played.is_down(topology::ChannelId{which}) ? 1 : 0;
    return down;
  };
  dismiss_controller(running.options().state.control("triangle"));
  EXPECT_EQ(running.end().kind, RunEnd::Kind::outside);
  EXPECT_EQ(running.with_switches(ports_down), 2);
  // Nothing is left on disk that says which they are.
  std::filesystem::remove_all(running.options().state.fabric("triangle"));
  RunOptions wake = running.options();
  wake.remote.listen = running.address();
  wake.wake = true;
  std::string said;
  const RunEnd end = run_controller(
      wake, {.load_parts = [] { return power::Library{}; },
             .say = [&](TimePoint, const std::string& line) { said += line + "\n"; }});
  EXPECT_EQ(end.kind, RunEnd::Kind::done) << to_string(end.errors) << said;
  EXPECT_EQ(running.with_switches(ports_down), 0) << said;
}

TEST(Wake, SaysWhichSwitchesDidNotCome) {
  test::TemporaryFolder folder;
  RunOptions wake;
  wake.file = folder.file("fabric.yaml");
  std::ofstream(wake.file) << kTriangle;
  wake.state.path = folder.file("state");
  wake.remote.listen = "tcp:127.0.0.1:0";
  wake.wake = true;
  wake.seconds = 1;
  const RunEnd end = run_controller(wake, {.load_parts = [] { return power::Library{}; }});
  EXPECT_EQ(end.kind, RunEnd::Kind::outside);
  EXPECT_NE(to_string(end.errors).find("s0, s1, s2"), std::string::npos) << to_string(end.errors);
}

TEST_F(Triangle, IsNotLedByTwo) {
  RunOptions second = running_.options();
  second.log.clear();
  const RunEnd end = run_controller(second, {.load_parts = [] { return power::Library{}; }});
  EXPECT_EQ(end.kind, RunEnd::Kind::outside);
  // It is refused before it listens or speaks to a switch.
  EXPECT_NE(to_string(end.errors).find("--standby waits for its end"), std::string::npos)
      << to_string(end.errors);
  EXPECT_FALSE(running_.has_ended());
}

// Ports of a switch that was started again are up. Those of a drained link go down again.
TEST_F(Triangle, TakesADrainedLinkDownAgainWhoseSwitchRebooted) {
  ASSERT_TRUE(drain("s1-s2"));
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
  const auto end = topology::forward(link("s1-s2"));
  const auto are_down = [&](auto& played) {
    return played.is_down(end) && played.is_down(topology::reverse(end));
  };
  for (const bool both : {false, true}) {
    running_.with_switches([=](auto& played) {
      played.leave(1);
      if (both) played.leave(2);
    });
    ASSERT_TRUE(running_.wait_until([this] { return !running_.all_here(); }));
    running_.with_switches([=](auto& played) {
      played.come_back_rebooted(1);
      if (both) played.come_back_rebooted(2);
    });
    ASSERT_FALSE(running_.with_switches(are_down));
    EXPECT_TRUE(running_.wait_until([&] { return running_.with_switches(are_down); }))
        << running_.said();
  }
}

// A link that the policy put to sleep is not asleep when a port of it is up: it comes back.
TEST(Stages, LooksAgainAtTheLinksOfASwitchThatRebooted) {
  RunningController running(std::string(kTriangle) + "policy: {name: stages, period: 500ms}\n");
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.state_of("s1-s2") == "asleep"; }));
  running.with_switches([](auto& played) { played.leave(1); });
  ASSERT_TRUE(running.wait_until([&] { return !running.all_here(); }));
  running.with_switches([](auto& played) { played.come_back_rebooted(1); });
  EXPECT_TRUE(running.wait_until([&] { return running.has_said("was left half asleep"); }))
      << running.said();
}

// One switch that lies, or that another controller took, must not end the control of all others.
TEST_F(Triangle, QuarantinesASwitchThatDeniesMastership) {
  running_.with_switches([](auto& played) { played.deny_mastership(1, true); });
  ASSERT_TRUE(running_.wait_until(
      [this] { return running_.has_said("s1 is quarantined for 5 s") || running_.has_ended(); }));
  EXPECT_TRUE(running_.wait_until([this] {
    return running_.status()["switches_away"] == nlohmann::ordered_json::array({"s1"});
  }));
  EXPECT_FALSE(running_.has_ended());
  EXPECT_EQ(running_.events(log(), "switch_quarantined").size(), 1U);
  running_.with_switches([](auto& played) { played.deny_mastership(1, false); });
  EXPECT_TRUE(running_.wait_until([this] { return running_.all_here(); }))
      << "it is admitted when its time is over";
}

TEST_F(Triangle, EndsWhenMostSwitchesDenyMastership) {
  running_.with_switches([](auto& played) {
    played.deny_mastership(1, true);
    played.deny_mastership(2, true);
  });
  ASSERT_TRUE(running_.wait_until([this] { return running_.has_ended(); }));
  EXPECT_TRUE(running_.has_said("another controller is MASTER of s"));
  EXPECT_EQ(running_.stop().kind, RunEnd::Kind::outside);
}

TEST(DryRun, ChangesNothing) {
  RunningController running(kTriangle, {.state = {}, .dry_run = true});
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.all_here(); }));
  EXPECT_EQ(running.with_switches([](auto& played) { return played.installed(0); }), 0U);
}

// Whoever reads a line, the status or the log of it sees that nothing was done.
TEST(DryRun, SaysSoEverywhere) {
  test::TemporaryFolder records;
  RunningController running(std::string(kTriangle) + "policy: {name: stages, period: 500ms}\n",
                            {.state = {}, .dry_run = true, .log = records.file("log.jsonl")});
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.has_said("dry run: 1 links would sleep"); }));
  ASSERT_TRUE(running.wait_until([&] {
    const auto status = running.status();
    return status.contains("would") && status["would"]["links_asleep"] == 1;
  }));
  const auto status = running.status();
  EXPECT_EQ(status["dry_run"], true);
  EXPECT_TRUE(status["actuated"].is_null()) << status["actuated"].dump();
  EXPECT_EQ(status["modelled"]["asleep_share"], 0.0);
  for (const auto& link : status["links"]) {
    EXPECT_EQ(link["state"], "active");
    EXPECT_EQ(link["would_sleep"], link["link"] == "s1-s2");
  }
  static_cast<void>(running.stop());
  std::ifstream in(records.file("log.jsonl"));
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line); ++lines)
    EXPECT_EQ(nlohmann::json::parse(line)["dry_run"], true) << line;
  EXPECT_GT(lines, 2U);
}

TEST_F(Triangle, SaysThatItsStatusIsOfThePastWhenItHasEnded) {
  ASSERT_TRUE(running_.wait_until([this] { return running_.all_here(); }));
  const auto now = read_status("triangle", running_.options().state);
  ASSERT_TRUE(now);
  EXPECT_FALSE(out_of_date(*now)) << *out_of_date(*now);
  EXPECT_EQ((*now)["dry_run"], false);
  static_cast<void>(running_.stop());
  const auto after = read_status("triangle", running_.options().state);
  ASSERT_TRUE(after);
  ASSERT_TRUE(out_of_date(*after));
  EXPECT_NE(out_of_date(*after)->find("no controller runs on fabric triangle: the last ended"),
            std::string::npos)
      << *out_of_date(*after);
}

// One that was killed has not said so, but nobody listens at its socket any more.
TEST_F(Triangle, SaysThatItsStatusIsOfThePastWhenItWasKilled) {
  ASSERT_TRUE(running_.wait_until([this] { return running_.all_here(); }));
  auto left = running_.status();
  test::TemporaryFolder state;
  const testbed::StateFolder killed{state.file("state")};
  std::filesystem::create_directories(killed.controller("triangle"));
  std::ofstream(killed.controller("triangle") + "/status.json") << left.dump();
  const auto status = read_status("triangle", killed);
  ASSERT_TRUE(status);
  EXPECT_FALSE((*status)["controller"]["running"].get<bool>());
  EXPECT_NE(out_of_date(*status)->find("the last wrote"), std::string::npos);
  EXPECT_FALSE(read_status("another", killed));
}

// 400 hosts, switches at 400 Gb/s and a name of 60 letters, whose sockets have paths that the
// system does not take: no test fabric, but a controller of switches elsewhere does not mind.
TEST(SwitchesElsewhere, MayBeLargerThanATestFabric) {
  const std::string name(60, 'x');
  RunningController running(
      "schema_version: 1\nname: " + name +
      "\ntopology: {family: clos, ports: 64, levels: 2, hosts: 400, down: 56, "
      "rates: [400Gb/s]}\n");
  ASSERT_TRUE(running.connect_switches());
  ASSERT_TRUE(running.wait_until([&] { return running.all_here(); }));
  EXPECT_EQ(running.graph().host_count(), 400U);
  EXPECT_NE(running.ask("explain s0-s8.1"), "") << "its control socket answers";
  EXPECT_FALSE(running.ask("explain s0-s8.1").starts_with("error:"));
}

TEST(RunController, RefusesWhatItCannotRun) {
  test::TemporaryFolder folder;
  const Environment environment{.load_parts = [] { return power::Library{}; }};
  RunOptions options;
  options.state.path = folder.file("state");
  options.file = folder.file("none.yaml");
  EXPECT_EQ(run_controller(options, environment).kind, RunEnd::Kind::bad_input);
  options.file = folder.file("fabric.yaml");
  std::ofstream(options.file) << kTriangle;
  // Nothing is up, and nothing listens.
  EXPECT_EQ(run_controller(options, environment).kind, RunEnd::Kind::bad_input);
  options.remote.listen = "tcp:0.0.0.0:6653";
  const RunEnd open = run_controller(options, environment);
  EXPECT_EQ(open.kind, RunEnd::Kind::bad_input);
  EXPECT_NE(to_string(open.errors).find("--other-machines"), std::string::npos);
  options.remote.listen = "tcp:127.0.0.1:0";
  options.modules = true;
  EXPECT_EQ(run_controller(options, environment).kind, RunEnd::Kind::bad_input);
  options.modules = false;
  options.ports = "telnet";
  EXPECT_NE(to_string(run_controller(options, environment).errors).find("telnet"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.file("state")));
}

}  // namespace
}  // namespace ebb::runtime
