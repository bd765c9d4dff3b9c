// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include "ebb/traffic/workload_kind.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <vector>

namespace ebb::traffic {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kHosts = 64;
constexpr DataRate kRate = megabits_per_second(2500);

std::unique_ptr<Workload> make_video(const ParameterTexts& parameters) {
  auto made = make_workload("video", {.hosts = kHosts}, kRate, parameters);
  EXPECT_TRUE(made) << to_string(made.error());
  return made ? std::move(*made) : nullptr;
}

std::vector<Message> messages_of(const Workload& workload, Duration until) {
  const auto source = workload.start({.seed = 1, .until = TimePoint(until)});
  std::vector<Message> messages;
  for (std::uint32_t host = 0; host < kHosts; ++host) {
    while (const auto message = source->next(host)) messages.push_back(*message);
  }
  return messages;
}

// The frames of streams that have a pair of hosts to themselves.
std::vector<std::vector<Message>> lone_streams(const Workload& workload, std::size_t seconds) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Message>> pairs;
  for (const Message& message : messages_of(workload, seconds * 1s))
    pairs[{message.source, message.destination}].push_back(message);
  std::vector<std::vector<Message>> streams;
  for (auto& [hosts, messages] : pairs) {
    if (messages.size() == 30 * seconds) streams.push_back(std::move(messages));
  }
  return streams;
}

TEST(Video, StreamsSendAFrameEveryThirtiethOfASecond) {
  const auto streams = lone_streams(*make_video({{"load", "1%"}}), 2);
  ASSERT_GT(streams.size(), 100U);
  for (const auto& frames : streams) {
    EXPECT_LT(frames[0].at, TimePoint(Duration(33'333'333'333)));
    for (std::int64_t n = 0; n < 60; ++n) {
      const Duration after(n * 1'000'000'000'000 / 30);
      EXPECT_EQ(frames[static_cast<std::size_t>(n)].at - frames[0].at, after);
    }
  }
}

TEST(Video, AFrameIsDueInAFrameTime) {
  EXPECT_EQ(make_video({})->deadline(), Duration(33'333'333'333));
  const auto search = make_workload("search", {.hosts = kHosts}, kRate, {});
  EXPECT_EQ((*search)->deadline(), std::nullopt);
}

// Frames of a stream by their place in a group that begins with the largest, in parts of 18.
std::vector<double> parts_of_group(const std::vector<Message>& frames) {
  std::vector<double> sizes(12);
  double sum = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    sizes[i % 12] += static_cast<double>(frames[i].size.count());
    sum += static_cast<double>(frames[i].size.count());
  }
  const auto largest = std::max_element(sizes.begin(), sizes.end());
  std::rotate(sizes.begin(), largest, sizes.end());
  for (double& size : sizes) size *= 18 / sum;
  return sizes;
}

TEST(Video, FramesHaveTheSizesOfTheirKinds) {
  const auto streams = lone_streams(*make_video({{"load", "1%"}}), 40);
  ASSERT_GT(streams.size(), 100U);
  std::vector<double> mean(12);
  for (const auto& frames : streams) {
    const auto parts = parts_of_group(frames);
    for (std::size_t i = 0; i < 12; ++i) mean[i] += parts[i] / static_cast<double>(streams.size());
  }
  const std::vector<double> expected = {4, 1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 1};
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(mean[i], expected[i], 0.03) << i;
}

TEST(Video, StreamsHaveSevenRates) {
  std::map<std::int64_t, int> streams;  // by Mb/s, to the nearest of those there are
  for (const auto& frames : lone_streams(*make_video({{"load", "1%"}}), 40)) {
    double bits = 0;
    for (const Message& message : frames) bits += static_cast<double>(message.size.count());
    const double rate = bits / 40e6;
    for (const std::int64_t known : {2, 3, 4, 6, 8, 11, 15}) {
      const auto exact = static_cast<double>(known);
      if (rate > 0.9 * exact && rate < 1.1 * exact) ++streams[known];
    }
  }
  EXPECT_EQ(streams.size(), 7U);
  for (const auto& [rate, count] : streams) EXPECT_GT(count, 10) << rate;
}

TEST(Video, StreamsTakeServiceLevelsInTurn) {
  const auto plain = messages_of(*make_video({{"load", "2%"}}), 1s);
  auto levelled = messages_of(*make_video({{"load", "2%"}, {"services", "4"}}), 1s);
  std::map<int, double> frames;
  for (Message& message : levelled) {
    ++frames[message.service];
    message.service = 0;
  }
  EXPECT_EQ(levelled, plain);
  ASSERT_EQ(frames.size(), 4U);
  const auto quarter = static_cast<double>(plain.size()) / 4;  // to a stream, of 30 frames
  for (const auto& [level, count] : frames) EXPECT_NEAR(count, quarter, 30) << level;
}

TEST(Video, AllFramesOfAStreamHaveOneServiceLevel) {
  for (const auto& frames : lone_streams(*make_video({{"load", "1%"}, {"services", "16"}}), 1)) {
    for (const Message& message : frames) EXPECT_EQ(message.service, frames[0].service);
  }
}

TEST(Video, RefusesLoadsBelowAStreamAndAboveMemory) {
  const auto little = make_workload("video", {.hosts = 2}, kRate, {{"load", "0.1%"}});
  ASSERT_FALSE(little);
  EXPECT_EQ(little.error().front().message,
            "the load is 5 Mb/s over all hosts, and a video stream 7 Mb/s on average; give a "
            "larger load");
  const auto much = make_workload("video", {.hosts = 1'000'000}, gigabits_per_second(40), {});
  ASSERT_FALSE(much);
  EXPECT_EQ(much.error().front().message,
            "the load is 2286 million video streams, and at most 100 million can be drawn; give a "
            "smaller load");
  const auto workload = make_video({});
  EXPECT_TRUE(workload->validate(TimePoint(10s)).empty());
  EXPECT_EQ(workload->validate(TimePoint(1h)).size(), 1U);
}

// The contract that no compiler, library or number of threads changes a message.
TEST(Video, GivesTheSameBytesEverywhere) {
  const auto messages = messages_of(*make_video({{"load", "5%"}, {"services", "4"}}), 10ms);
  ASSERT_EQ(messages.size(), 333U);
  EXPECT_EQ(messages[0], (Message{TimePoint(Duration(94'880'102)), 1, 21, bits(338'112), 2}));
  EXPECT_EQ(messages[100], (Message{TimePoint(Duration(8'220'252'216)), 19, 48, bits(129'536), 3}));
}

}  // namespace
}  // namespace ebb::traffic
