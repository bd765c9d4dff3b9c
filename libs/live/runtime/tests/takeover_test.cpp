// SPDX-License-Identifier: Apache-2.0
//
// Two controllers of one fabric in processes of their own, because one of them is stopped with
// SIGSTOP. A controller that takes over never waits for a file or an address that the stopped
// controller still holds, or that cannot be opened at all.
#include "forked_controller.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace ebb::runtime {
namespace {

class Takeover : public ::testing::Test {
 protected:
  void SetUp() override { std::ofstream(folder_.file("fabric.yaml")) << kTriangle; }

  // Both controllers have the same options, but for the address where switches connect.
  [[nodiscard]] RunOptions options() const {
    RunOptions all;
    all.file = folder_.file("fabric.yaml");
    all.state.path = folder_.file("state");
    all.standby = true;
    all.remote.listen = "tcp:127.0.0.1:0";
    return all;
  }
  [[nodiscard]] RunOptions with_every_option(const std::string& metrics) const {
    RunOptions all = options();
    all.metrics = metrics;
    all.log = folder_.file("log.jsonl");
    all.audit = folder_.file("audit.jsonl");
    all.history = folder_.file("history.csv");
    all.transcript = folder_.file("transcript");
    return all;
  }
  [[nodiscard]] RunOptions with_every_option() const {
    return with_every_option(std::to_string(free_port()));
  }
  [[nodiscard]] std::string control() const { return options().state.control("triangle"); }

  test::TemporaryFolder folder_;
};

TEST_F(Takeover, OfAHungLeaderWithEveryOption) {
  const RunOptions all = with_every_option();
  ForkedController leader(all, folder_.file("leader"));
  ASSERT_TRUE(leader.wait_for("leads, generation 1")) << leader.said();
  ForkedController other(all, folder_.file("other"));
  ASSERT_TRUE(other.wait_for("stands by")) << other.said();
  leader.signal(SIGSTOP);
  ASSERT_TRUE(other.wait_for("leads, generation 2")) << other.said();
  // It still leads a second later, and has begun no other term meanwhile.
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_EQ(other.said().find("generation 3"), std::string::npos) << other.said();
  EXPECT_TRUE(ask_controller(control(), "explain s1-s2"));
  EXPECT_NE(other.said().find("metrics: "), std::string::npos) << other.said();
  // The old leader ends. Its address is free now, and the new leader takes it.
  leader.signal(SIGKILL);
  EXPECT_TRUE(other.wait_for("metrics at http://")) << other.said();
  EXPECT_NE(other.page().find("ebb_controller_role{role=\"leader\"} 1\n"), std::string::npos);
}

TEST_F(Takeover, LeavesAStandbyBehindThatServesItsOwnMetrics) {
  ForkedController leader(with_every_option(), folder_.file("leader"));
  ASSERT_TRUE(leader.wait_for("leads, generation 1")) << leader.said();
  ForkedController other(with_every_option(), folder_.file("other"));
  ASSERT_TRUE(other.wait_for("stands by")) << other.said();
  ASSERT_TRUE(other.wait_for("metrics at http://")) << other.said();
  const std::string page = other.page();
  EXPECT_NE(page.find("ebb_controller_role{role=\"standby\"} 1\n"), std::string::npos) << page;
  EXPECT_NE(page.find("ebb_controller_role{role=\"leader\"} 0\n"), std::string::npos) << page;
  EXPECT_EQ(page.find("ebb_links"), std::string::npos) << "a standby knows nothing of links";
  EXPECT_NE(leader.page().find("ebb_controller_generation 1\n"), std::string::npos);
}

// Each of them in a folder that does not exist; the control socket where a folder stands.
TEST_F(Takeover, IsNotHinderedByAFileThatCannotBeOpened) {
  RunOptions unwritable = options();
  unwritable.log = folder_.file("missing/log.jsonl");
  unwritable.audit = folder_.file("missing/audit.jsonl");
  unwritable.history = folder_.file("missing/history.csv");
  unwritable.transcript = folder_.file("missing/transcript");
  std::filesystem::create_directories(control() + "/occupied");
  ForkedController alone(unwritable, folder_.file("alone"));
  ASSERT_TRUE(alone.wait_for("leads, generation 1")) << alone.said();
  for (const char* record : {"log", "audit", "history", "transcript", "control"}) {
    EXPECT_TRUE(alone.wait_for(std::string(record) + ": ")) << record << "\n" << alone.said();
    EXPECT_TRUE(alone.wait_until([&] { return alone.status()["problems"].contains(record); }));
  }
  // What stood in the way is removed: each is opened within a second or two, and nothing else has
  // to be done. A transcript is of no use without its beginning, so it is not tried again.
  std::filesystem::create_directories(folder_.file("missing"));
  std::filesystem::remove_all(control());
  EXPECT_TRUE(alone.wait_until([&] { return ask_controller(control(), "explain s1-s2"); }));
  EXPECT_TRUE(alone.wait_until([&] {
    const auto status = alone.status();
    return status["problems"].size() == 1 && status["problems"].contains("transcript");
  })) << alone.status()["problems"].dump();
  EXPECT_TRUE(std::filesystem::exists(unwritable.audit));
}

TEST_F(Takeover, KeepsTheTranscriptOfEachTerm) {
  const RunOptions all = with_every_option();
  ForkedController leader(all, folder_.file("leader"));
  ASSERT_TRUE(leader.wait_for("leads, generation 1")) << leader.said();
  ForkedController other(all, folder_.file("other"));
  ASSERT_TRUE(other.wait_for("stands by")) << other.said();
  leader.signal(SIGKILL);
  ASSERT_TRUE(other.wait_for("leads, generation 2")) << other.said();
  EXPECT_TRUE(std::filesystem::exists(all.transcript + ".1"));
  EXPECT_TRUE(std::filesystem::exists(all.transcript + ".2"));
  std::ifstream history(all.history);
  std::string line;
  int headings = 0;
  while (std::getline(history, line)) headings += line.starts_with("at [s]") ? 1 : 0;
  EXPECT_EQ(headings, 1) << "the second leader goes on with the history of the first";
}

}  // namespace
}  // namespace ebb::runtime
