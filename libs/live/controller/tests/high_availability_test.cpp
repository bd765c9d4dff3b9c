// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/high_availability.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace ebb::controller {
namespace {

using std::chrono::seconds;
using Time = Lease::Clock::time_point;

// Locks belong to open files, so two leases of one process are as good as two processes.
class ALease : public testing::Test {
 protected:
  ALease() { std::filesystem::create_directory(folder); }
  ~ALease() override { std::filesystem::remove_all(folder); }

  std::string folder = testing::TempDir() + "ebb-lease-" + std::to_string(getpid());
  std::string path = folder + "/lease";
  Time now{seconds(100)};
};

TEST_F(ALease, OneHasIt) {
  Lease first(path, seconds(2));
  Lease second(path, seconds(2));
  EXPECT_TRUE(*first.take(now));
  EXPECT_TRUE(*first.take(now));
  EXPECT_FALSE(*second.take(now));
  EXPECT_TRUE(first.is_ours());
  EXPECT_FALSE(second.is_ours());
  EXPECT_EQ(second.holder(), "process " + std::to_string(getpid()));
  first.leave();
  EXPECT_TRUE(*second.take(now));
  EXPECT_FALSE(first.is_ours());
}

TEST_F(ALease, OneThatEndsLosesItAtOnce) {
  const pid_t child = fork();
  if (child == 0) {
    Lease its(path, seconds(2));
    _exit(its.take(now) && its.is_ours() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  Lease ours(path, seconds(2));
  EXPECT_TRUE(*ours.take(now));
}

TEST_F(ALease, OneThatHangsIsPassedOver) {
  Lease hanging(path, seconds(2));
  Lease other(path, seconds(2));
  ASSERT_TRUE(*hanging.take(now));
  EXPECT_FALSE(*other.take(now));
  EXPECT_FALSE(*other.take(now + seconds(1)));
  EXPECT_TRUE(*other.take(now + seconds(2)));
  EXPECT_FALSE(hanging.is_ours());
  EXPECT_TRUE(other.is_ours());
  hanging.renew();  // into its own file, which nobody reads any more
  EXPECT_TRUE(other.is_ours());
  hanging.leave();
  EXPECT_TRUE(other.is_ours());
  EXPECT_FALSE(*hanging.take(now + seconds(2)));
}

TEST_F(ALease, OneThatStirsIsNot) {
  Lease holder(path, seconds(2));
  Lease other(path, seconds(2));
  ASSERT_TRUE(*holder.take(now));
  for (int second = 0; second < 10; ++second) {
    EXPECT_FALSE(*other.take(now + seconds(second)));
    holder.renew();
  }
}

TEST_F(ALease, OneThatWasRemovedIsNobodys) {
  Lease holder(path, seconds(2));
  ASSERT_TRUE(*holder.take(now));
  std::filesystem::remove(path);
  EXPECT_FALSE(holder.is_ours());
}

TEST_F(ALease, AFolderThatIsNotThereIsAnError) {
  Lease lease(folder + "/none/lease", seconds(2));
  const auto taken = lease.take(now);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error()[0].message, "cannot take the lease: No such file or directory");
}

TEST_F(ALease, TheWaitingRoomTellsWhetherSomeoneWaits) {
  StandbyRegistry leader(folder + "/standby");
  StandbyRegistry first(folder + "/standby");
  StandbyRegistry second(folder + "/standby");
  EXPECT_FALSE(leader.has_standby());
  ASSERT_TRUE(first.join() && second.join());
  EXPECT_TRUE(leader.has_standby());
  first.leave();
  EXPECT_TRUE(leader.has_standby());
  second.leave();
  EXPECT_FALSE(leader.has_standby());
}

namespace fs = std::filesystem;
using controller::LinkState;
using std::chrono::minutes;

class APersistedState : public testing::Test {
 protected:
  APersistedState() { fs::create_directory(folder); }
  ~APersistedState() override { fs::remove_all(folder); }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder + "/" + name) << text;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(folder + "/" + name).rdbuf();
    return all.str();
  }
  [[nodiscard]] RestoredState restored() const { return restore(folder, "tour", now); }
  // The one thing that is wrong with the file of generation 8.
  [[nodiscard]] std::string problem_of(const std::string& content) const {
    put("state.8.json", content);
    const RestoredState found = restored();
    EXPECT_EQ(found.state, known) << "the older one is believed";
    EXPECT_EQ(found.newest, 8U);
    return found.problems.size() == 1 ? found.problems[0].message : "not one problem";
  }

  std::string folder = testing::TempDir() + "ebb-state-" + std::to_string(getpid());
  WallTime now{std::chrono::hours(400'000)};
  PersistedState known{7,
                       {{"s0-s1", {LinkState::asleep, "drained by an operator", true, {}}},
                        {"s1-s2", {LinkState::active, "woke", false, {minutes(59), minutes(1)}}}},
                       {{"s4", {SwitchState::going_off, "its links are asleep"}}}};
};

TEST_F(APersistedState, IsReadAsItWasWritten) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  const RestoredState found = restored();
  EXPECT_EQ(found.state, known);
  EXPECT_EQ(found.newest, 7U);
  EXPECT_TRUE(found.problems.empty());
  const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  EXPECT_EQ(files, 1) << "nothing temporary is left";
}

TEST_F(APersistedState, NobodyWasThereBefore) {
  const RestoredState found = restored();
  EXPECT_EQ(found.state, PersistedState{});
  EXPECT_EQ(found.newest, 0U);
  EXPECT_TRUE(found.problems.empty());
}

TEST_F(APersistedState, ChangesGrowOldAndAreForgottenAfterAnHour) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  now += minutes(2);
  EXPECT_EQ(restored().state.links.at("s1-s2").changed, std::vector<Duration>{minutes(3)});
  now -= minutes(20);  // the clock was set
  EXPECT_EQ(restored().state.links.at("s1-s2").changed,
            (std::vector<Duration>{minutes(41), minutes(0)}));
}

TEST_F(APersistedState, AGenerationBeginsOnce) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  EXPECT_FALSE(begin(known, folder, "tour", now));
  EXPECT_TRUE(save(known, folder, "tour", now));
}

TEST_F(APersistedState, EveryCutOfItIsNoticed) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  const std::string whole = text("state.7.json");
  // Without the newline at its end it is still whole.
  for (std::size_t length = 0; length + 1 < whole.size(); ++length)
    EXPECT_NE(problem_of(whole.substr(0, length)), "not one problem") << length;
}

TEST_F(APersistedState, WhatCannotBeBelievedIsNamed) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  const auto with = [](const std::string& links, int version = 1, const std::string& of = "tour") {
    return R"({"schema_version": )" + std::to_string(version) + R"(, "fabric": ")" + of +
           R"(", "generation": 8, "links": )" + links + "}";
  };
  EXPECT_EQ(problem_of(with("[]", 0)), "is of version 0, and this ebb reads 1");
  EXPECT_EQ(problem_of(with("[]", 2)), "is of version 2, and this ebb reads 1");
  EXPECT_EQ(problem_of(with("[]", 1, "other")), "is of another fabric");
  EXPECT_EQ(problem_of(with(R"([{"link": "a-b", "state": "tired"}])")),
            "a link has no state 'tired'");
  EXPECT_NE(problem_of(with(R"([{"link": "a-b", "state": "asleep", "why": 3}])")),
            "not one problem");
  EXPECT_EQ(problem_of(text("state.7.json")), "says that it is of generation 7");
  EXPECT_NE(problem_of("\x7f\x45\x4c\x46"), "not one problem");
}

TEST_F(APersistedState, ChangesThatCannotBeAreLeftOutOrAreOfNow) {
  put("state.8.json", R"({"schema_version": 1, "fabric": "tour", "generation": 8, "links": [
      {"link": "a-b", "state": "active", "why": "", "drained": false,
       "changed_unix_ms": [-9223372036854775808, 9223372036854775807, 0]}]})");
  const RestoredState found = restored();
  ASSERT_TRUE(found.problems.empty());
  EXPECT_EQ(found.state.links.at("a-b").changed, std::vector<Duration>{Duration{}});
}

TEST_F(APersistedState, SaysWhoHasDrainedASwitch) {
  known.switches = {{"spine1", {SwitchState::off, "switched off", DrainedBy::policy}},
                    {"spine2", {SwitchState::drained, "its links are asleep", {}}}};
  ASSERT_TRUE(begin(known, folder, "tour", now));
  EXPECT_EQ(restored().state, known);
}

// An ebb before this one had operators alone to drain switches.
TEST_F(APersistedState, OfASwitchThatDoesNotSayWhoDrainedItIsTheOperators) {
  const auto put_switch = [this](const std::string& by) {
    put("state.8.json", R"({"schema_version": 1, "fabric": "tour", "generation": 8, "links": [],
      "switches": [{"switch": "spine1", "state": "off", "why": "switched off")" +
                            by + "}]}");
    return restored();
  };
  EXPECT_EQ(put_switch("").state.switches.at("spine1").by, DrainedBy::an_operator);
  EXPECT_EQ(put_switch(R"(, "by": "policy")").state.switches.at("spine1").by, DrainedBy::policy);
  EXPECT_FALSE(put_switch(R"(, "by": "nobody")").problems.empty());
}

TEST_F(APersistedState, ATermIsNewerThanAllBeforeAndTakesWhatTheyLeft) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  put("state.9.json", "{");
  HighAvailability ha(folder, "tour");
  ASSERT_TRUE(*ha.lease().take({}));
  const auto term = ha.begin_term(now);
  ASSERT_TRUE(term);
  EXPECT_EQ(ha.generation(), 10U);
  EXPECT_EQ(term->state, known);
  EXPECT_EQ(term->problems.size(), 1U);
  EXPECT_EQ(restored().state, (PersistedState{10, known.links, known.switches}))
      << "before a switch has been asked";
  EXPECT_EQ(text("state.9.json.bad"), "{") << "kept for whoever wants to know";
  EXPECT_FALSE(fs::exists(folder + "/state.7.json"));
  ha.observe_generation(40);
  ASSERT_TRUE(ha.begin_term(now));
  EXPECT_EQ(ha.generation(), 41U);
}

TEST_F(APersistedState, OneThatHasBeenPassedOverSpoilsNothing) {
  HighAvailability old(folder, "tour");
  HighAvailability fresh(folder, "tour");
  ASSERT_TRUE(*old.lease().take({}) && old.begin_term(now));
  fs::remove(folder + "/lease");
  ASSERT_TRUE(*fresh.lease().take({}) && fresh.begin_term(now));
  ASSERT_TRUE(fresh.save(known.links, known.switches, now));
  EXPECT_TRUE(old.save({}, {}, now));
  EXPECT_EQ(restored().state, (PersistedState{2, known.links, known.switches}));
  // Even one that looked at its lease an instant too early.
  EXPECT_TRUE(save({1, {}}, folder, "tour", now));
  EXPECT_EQ(restored().state, (PersistedState{2, known.links, known.switches}));
}

}  // namespace
}  // namespace ebb::controller
