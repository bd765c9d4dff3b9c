// SPDX-License-Identifier: Apache-2.0
//
// Burstiness where it is known: messages in step, and at random times.
#include "ebb/traffic/burstiness.hpp"

#include "cases.hpp"

#include "ebb/traffic/host_source.hpp"
#include "ebb/traffic/workload_kind.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace ebb::traffic {
namespace {

using namespace std::chrono_literals;

constexpr DataRate kRate = gigabits_per_second(40);

Burstiness seen_of(const Workload& workload, Duration time = 20ms) {
  const auto seen = measure_burstiness(workload, kRate, 1, TimePoint(time));
  EXPECT_TRUE(seen) << to_string(seen.error());
  return seen.value_or(Burstiness{});
}

Burstiness injected(const std::string& pattern, const std::string& injection,
                    const ParameterTexts& parameters, Duration time = 20ms) {
  const ParameterTexts by = {{"by", "1"}};
  const auto where = must_make(pattern, {.hosts = 64}, pattern == "shift" ? by : ParameterTexts{});
  const auto when = make_injection(injection, kRate, parameters).value();
  return seen_of(IndependentHosts(*where, *when, 64), time);
}

// 50,000 bytes, 10 us of a link, every 40 us from 0 on: every fourth window of 10 us is full, and
// so is a quarter of those of 1 ms. In windows of 100 us there are 3, 2, 3, 2 messages.
TEST(Burstiness, OfMessagesInStepIsExact) {
  const Burstiness seen =
      injected("shift", "periodic", {{"load", "25%"}, {"size", "50kB"}, {"spread", "0"}});
  EXPECT_EQ(seen.messages, 64 * 500);
  EXPECT_DOUBLE_EQ(seen.load_mean, 0.25);
  EXPECT_DOUBLE_EQ(seen.load_least, 0.25);
  EXPECT_DOUBLE_EQ(seen.load_most, 0.25);
  EXPECT_DOUBLE_EQ(seen.size_mean, 50'000);
  EXPECT_EQ(seen.size_p50, 50'000);
  EXPECT_DOUBLE_EQ(seen.poisson_dispersion, 1);
  ASSERT_EQ(seen.windows.size(), 3U);
  for (const WindowSeen& window : seen.windows) {
    EXPECT_DOUBLE_EQ(window.out.mean, 0.25);
    EXPECT_DOUBLE_EQ(window.in.mean, 0.25);
    EXPECT_DOUBLE_EQ(window.asymmetry, 0);
  }
  EXPECT_DOUBLE_EQ(seen.windows[0].out.idle, 0.75);
  EXPECT_DOUBLE_EQ(seen.windows[0].out.p50, 0);
  EXPECT_DOUBLE_EQ(seen.windows[0].out.p99, 1);
  EXPECT_DOUBLE_EQ(seen.windows[1].out.most, 0.3);
  EXPECT_NEAR(seen.windows[1].out.dispersion, 0.25 / 2.5, 0.001);
  EXPECT_DOUBLE_EQ(seen.windows[2].out.p50, 0.25);
  EXPECT_DOUBLE_EQ(seen.windows[2].out.dispersion, 0);
}

// Random times: variance = mean for messages of one size, at any window, sent and received.
TEST(Burstiness, OfPoissonMessagesIsOne) {
  const Burstiness seen = injected("uniform", "poisson", {{"load", "20%"}, {"size", "9kB"}}, 200ms);
  for (const WindowSeen& window : seen.windows) {
    EXPECT_NEAR(window.out.dispersion, 1, 0.05) << window.window.count();
    EXPECT_NEAR(window.in.dispersion, 1, 0.05) << window.window.count();
  }
}

// With sizes of a distribution: mean square over square of mean.
TEST(Burstiness, OfPoissonFlowsIsThatOfTheirSizes) {
  const Burstiness seen =
      injected("uniform", "flows", {{"load", "20%"}, {"sizes", "storage"}}, 100ms);
  EXPECT_GT(seen.poisson_dispersion, 10);
  for (const WindowSeen& window : seen.windows)
    EXPECT_NEAR(window.out.dispersion / seen.poisson_dispersion, 1, 0.05);
}

TEST(Burstiness, OfBurstsGrowsWithTheWindow) {
  const Burstiness on_off = injected("uniform", "on-off", {{"load", "10%"}, {"size", "2KiB"}});
  EXPECT_GT(on_off.windows[2].out.dispersion, 10);
  EXPECT_GT(on_off.windows[2].out.dispersion, 2 * on_off.windows[0].out.dispersion);
  for (const char* name : {"search", "advert"}) {
    const auto service = make_workload(name, {.hosts = 256}, kRate, {}).value();
    const Burstiness seen = seen_of(*service);
    const WindowSeen& longest = seen.windows[2];
    EXPECT_GT(longest.out.dispersion, 10) << name;
    EXPECT_GT(longest.out.dispersion, 1.5 * seen.windows[0].out.dispersion) << name;
    EXPECT_GT(longest.in.dispersion, 1.5 * seen.windows[0].in.dispersion) << name;
    // Most of the time nothing, now and then all of the link.
    EXPECT_GT(seen.windows[0].out.idle, 0.7) << name;
    EXPECT_GT(seen.windows[0].out.p99, 0.9) << name;
    EXPECT_GT(longest.asymmetry, 0.3) << name;
  }
}

// A message that waits for others is sent later: no window is more than full.
TEST(Burstiness, QueuesWhatALinkCannotCarry) {
  const auto pattern = must_make("hotspot", {.hosts = 64}, {{"fraction", "1"}});
  const auto when = make_injection("poisson", kRate, {{"load", "10%"}, {"size", "9kB"}}).value();
  const Burstiness seen = seen_of(IndependentHosts(*pattern, *when, 64));
  EXPECT_DOUBLE_EQ(seen.windows[0].in.most, 1);
  EXPECT_DOUBLE_EQ(seen.windows[2].in.most, 1);
}

TEST(Burstiness, RefusesTimesThatDoNotSuit) {
  const auto service = make_workload("search", {.hosts = 16}, kRate, {}).value();
  const auto refusal = [&](Duration time) {
    return measure_burstiness(*service, kRate, 1, TimePoint(time)).error().front().message;
  };
  EXPECT_EQ(refusal(1999us), "two windows of 1ms do not fit into 1.999ms");
  EXPECT_EQ(refusal(11s), "11s are too long to look at in windows of 10us; the most is 10s");
}

}  // namespace
}  // namespace ebb::traffic
