// SPDX-License-Identifier: Apache-2.0
#include "ebb/controller/ha/memory.hpp"

#include "ebb/controller/ha/succession.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace ebb::controller {
namespace {

namespace fs = std::filesystem;
using controller::LinkState;
using std::chrono::minutes;

class AMemory : public testing::Test {
 protected:
  AMemory() { fs::create_directory(folder); }
  ~AMemory() override { fs::remove_all(folder); }

  void put(const std::string& name, const std::string& text) const {
    std::ofstream(folder + "/" + name) << text;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ostringstream all;
    all << std::ifstream(folder + "/" + name).rdbuf();
    return all.str();
  }
  [[nodiscard]] Recalled recalled() const { return recall(folder, "tour", now); }
  // The one thing that is wrong with the file of generation 8.
  [[nodiscard]] std::string problem_of(const std::string& content) const {
    put("memory.8.json", content);
    const Recalled found = recalled();
    EXPECT_EQ(found.memory, known) << "the older one is believed";
    EXPECT_EQ(found.newest, 8U);
    return found.problems.size() == 1 ? found.problems[0].message : "not one problem";
  }

  std::string folder = testing::TempDir() + "ebb-memory-" + std::to_string(getpid());
  WallTime now{std::chrono::hours(400'000)};
  Memory known{7,
               {{"s0-s1", {LinkState::asleep, "taken out by an operator", true, {}}},
                {"s1-s2", {LinkState::active, "woke", false, {minutes(59), minutes(1)}}}}};
};

TEST_F(AMemory, IsReadAsItWasWritten) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  const Recalled found = recalled();
  EXPECT_EQ(found.memory, known);
  EXPECT_EQ(found.newest, 7U);
  EXPECT_TRUE(found.problems.empty());
  const auto files = std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  EXPECT_EQ(files, 1) << "nothing temporary is left";
}

TEST_F(AMemory, NobodyWasThereBefore) {
  const Recalled found = recalled();
  EXPECT_EQ(found.memory, Memory{});
  EXPECT_EQ(found.newest, 0U);
  EXPECT_TRUE(found.problems.empty());
}

TEST_F(AMemory, ChangesGrowOldAndAreForgottenAfterAnHour) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  now += minutes(2);
  EXPECT_EQ(recalled().memory.links.at("s1-s2").changed, std::vector<Duration>{minutes(3)});
  now -= minutes(20);  // the clock was set
  EXPECT_EQ(recalled().memory.links.at("s1-s2").changed,
            (std::vector<Duration>{minutes(41), minutes(0)}));
}

TEST_F(AMemory, AGenerationBeginsOnce) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  EXPECT_FALSE(begin(known, folder, "tour", now));
  EXPECT_TRUE(remember(known, folder, "tour", now));
}

TEST_F(AMemory, EveryCutOfItIsNoticed) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  const std::string whole = text("memory.7.json");
  // Without the newline at its end it is still whole.
  for (std::size_t length = 0; length + 1 < whole.size(); ++length)
    EXPECT_NE(problem_of(whole.substr(0, length)), "not one problem") << length;
}

TEST_F(AMemory, WhatCannotBeBelievedIsNamed) {
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
  EXPECT_EQ(problem_of(text("memory.7.json")), "says that it is of generation 7");
  EXPECT_NE(problem_of("\x7f\x45\x4c\x46"), "not one problem");
}

TEST_F(AMemory, ChangesThatCannotBeAreLeftOutOrAreOfNow) {
  put("memory.8.json", R"({"schema_version": 1, "fabric": "tour", "generation": 8, "links": [
      {"link": "a-b", "state": "active", "why": "", "taken_out": false,
       "changed_unix_ms": [-9223372036854775808, 9223372036854775807, 0]}]})");
  const Recalled found = recalled();
  ASSERT_TRUE(found.problems.empty());
  EXPECT_EQ(found.memory.links.at("a-b").changed, std::vector<Duration>{Duration{}});
}

TEST_F(AMemory, ATermIsNewerThanAllBeforeAndTakesWhatTheyLeft) {
  ASSERT_TRUE(begin(known, folder, "tour", now));
  put("memory.9.json", "{");
  Succession succession(folder, "tour");
  ASSERT_TRUE(*succession.lease().take({}));
  const auto term = succession.begin_term(now);
  ASSERT_TRUE(term);
  EXPECT_EQ(succession.generation(), 10U);
  EXPECT_EQ(term->memory, known);
  EXPECT_EQ(term->problems.size(), 1U);
  EXPECT_EQ(recalled().memory, (Memory{10, known.links})) << "before a switch has been asked";
  EXPECT_EQ(text("memory.9.json.bad"), "{") << "kept for whoever wants to know";
  EXPECT_FALSE(fs::exists(folder + "/memory.7.json"));
  succession.heard(40);
  ASSERT_TRUE(succession.begin_term(now));
  EXPECT_EQ(succession.generation(), 41U);
}

TEST_F(AMemory, OneThatHasBeenPassedOverSpoilsNothing) {
  Succession old(folder, "tour");
  Succession fresh(folder, "tour");
  ASSERT_TRUE(*old.lease().take({}) && old.begin_term(now));
  fs::remove(folder + "/lease");
  ASSERT_TRUE(*fresh.lease().take({}) && fresh.begin_term(now));
  ASSERT_TRUE(fresh.remember(known.links, now));
  EXPECT_TRUE(old.remember({}, now));
  EXPECT_EQ(recalled().memory, (Memory{2, known.links}));
  // Even one that looked at its lease an instant too early.
  EXPECT_TRUE(remember({1, {}}, folder, "tour", now));
  EXPECT_EQ(recalled().memory, (Memory{2, known.links}));
}

}  // namespace
}  // namespace ebb::controller
