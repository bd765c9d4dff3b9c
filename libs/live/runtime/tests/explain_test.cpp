// SPDX-License-Identifier: Apache-2.0
//
// What a running controller answers to `explain`, against switches that speak OpenFlow 1.3 over
// TCP.
#include "running_controller.hpp"

#include "ebb/transport/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace ebb::runtime {
namespace {

using topology::LinkId;

class AnExplanation : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(running_.connect_switches());
    ASSERT_TRUE(running_.wait_until([this] {
      return running_.has_said("all switches are here, and cables run as described");
    }));
  }

  RunningController running_{kTriangle};
};

TEST_F(AnExplanation, HasTheStateOfTheLinkAndWhatWouldChangeIt) {
  const auto before = nlohmann::json::parse(running_.ask("explain s1-s2"), nullptr, false);
  ASSERT_FALSE(before.is_discarded());
  EXPECT_EQ(before["link"], "s1-s2");
  EXPECT_EQ(before["state"], "active");
  EXPECT_FALSE(before["to_sleep"].empty());
  EXPECT_TRUE(before["to_wake"].empty());
  ASSERT_EQ(before["forwarding"].size(), 2U);
  for (const auto& end : before["forwarding"]) EXPECT_EQ(end["in_use"], true) << end.dump();
  ASSERT_TRUE(running_.wait_until([this] { return running_.ask("drain s1-s2") == "done"; }));
  ASSERT_TRUE(running_.wait_until([this] { return running_.state_of("s1-s2") == "asleep"; }));
  const auto after = nlohmann::json::parse(running_.ask("explain s1-s2"));
  EXPECT_EQ(after["state"], "asleep");
  ASSERT_FALSE(after["to_wake"].empty());
  EXPECT_NE(after["to_wake"][0].get<std::string>().find("operator"), std::string::npos)
      << after["to_wake"].dump();
  ASSERT_FALSE(after["last"].empty());
}

TEST_F(AnExplanation, SaysWhoseForwardingIsNotKnown) {
  running_.with_switches([](auto& played) { played.leave(2); });
  ASSERT_TRUE(running_.wait_until([this] { return !running_.all_here(); }));
  const auto told = nlohmann::json::parse(running_.ask("explain s1-s2"))["forwarding"];
  EXPECT_EQ(told[0]["from"], "s1");
  EXPECT_FALSE(told[0]["in_use"].is_null());
  EXPECT_EQ(told[1]["from"], "s2");
  EXPECT_TRUE(told[1]["in_use"].is_null());
  EXPECT_EQ(told[1]["why"], "the switch cannot be reached");
}

// An operator waits for it.
TEST_F(AnExplanation, DoesNotWaitForASilentSwitch) {
  running_.with_switches([](auto& played) { played.mute_groups(1, true); });
  const auto began = std::chrono::steady_clock::now();
  const auto told = nlohmann::json::parse(running_.ask("explain s1-s2"), nullptr, false);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::milliseconds(4500));
  ASSERT_FALSE(told.is_discarded());
  EXPECT_EQ(told["forwarding"][0]["why"], "the switch did not answer in time");
  EXPECT_EQ(told["forwarding"][1]["in_use"], true);
}

// It waits for switches; what is asked behind it is not answered before.
TEST_F(AnExplanation, IsGivenBeforeTheAnswerToTheNextLine) {
  transport::Loop loop;
  auto stream = transport::Stream::connect(
      loop, {.kind = transport::Kind::unix_socket, .path = running_.control_path()}, {});
  ASSERT_TRUE(stream);
  std::string got;
  stream->on({.received = [&](std::span<const std::byte> bytes) {
    got.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }});
  const std::string lines = "explain s1-s2\nburn s1-s2\n";
  stream->send(std::as_bytes(std::span(lines)));
  EXPECT_TRUE(loop.run_until([&] { return std::count(got.begin(), got.end(), '\n') == 2; },
                             std::chrono::seconds(30)));
  EXPECT_TRUE(got.starts_with("{")) << got;
  EXPECT_TRUE(got.ends_with("}\ndrain, undrain or explain?\n")) << got;
}

TEST_F(AnExplanation, SaysWhyALinkMayNotSleep) {
  const auto needed = nlohmann::json::parse(running_.ask("explain s0-s1"));
  std::size_t objections = 0;
  for (const auto& rule : needed["rules"]) objections += rule["objection"].is_null() ? 0 : 1;
  EXPECT_GT(objections, 0U) << needed["rules"].dump();
  // The link of a host never sleeps, so there is nothing to explain.
  const topology::Graph& graph = running_.graph();
  std::uint32_t which = 0;
  while (graph.connects_switches(LinkId{which})) ++which;
  const auto& ends = graph.link(LinkId{which});
  const std::string host = graph.name(ends.a) + "-" + graph.name(ends.b);
  EXPECT_EQ(running_.ask("explain " + host), "it is the link of a host, which never sleeps");
}

}  // namespace
}  // namespace ebb::runtime
