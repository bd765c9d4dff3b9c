// SPDX-License-Identifier: Apache-2.0
//
// Patterns that draw: the distribution of the destinations of a host, by Pearson's chi-square test
// at p = 0.001 with fixed seeds.
#include "cases.hpp"

#include "ebb/traffic/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace ebb::traffic {
namespace {

constexpr std::int64_t kDraws = 200'000;

// Critical values at p = 0.001.
constexpr double kChiSquare15 = 37.70;
constexpr double kChiSquare62 = 102.2;

TEST(Uniform, ReachesEveryOtherHostEquallyOften) {
  const auto pattern = must_make("uniform", grid_of_64());
  for (const std::uint32_t source : {0U, 17U, 63U}) {
    std::vector<double> expected(64, kDraws / 63.0);
    expected[source] = 0;
    EXPECT_LT(chi_square(count_destinations(*pattern, 64, source, kDraws), expected), kChiSquare62);
  }
}

TEST(GroupAdversarial, ReachesEveryHostOfTheNextGroupEquallyOften) {
  const auto pattern = must_make("group-adversarial", grid_of_64());
  for (const std::uint32_t source : {0U, 17U, 63U}) {
    std::vector<double> expected(64, 0);
    const std::ptrdiff_t next = (source / 16 + 1) % 4;
    std::fill_n(expected.begin() + next * 16, 16, kDraws / 16.0);
    EXPECT_LT(chi_square(count_destinations(*pattern, 64, source, kDraws), expected), kChiSquare15);
  }
}

TEST(GroupAdversarial, TheLastGroupMayBeSmaller) {
  const auto pattern =
      must_make("group-adversarial", {.hosts = 10, .hosts_per_group = 4}, {{"offset", "2"}});
  const auto counts = count_destinations(*pattern, 10, 1, 1000);
  EXPECT_EQ(counts[8] + counts[9], 1000);
  EXPECT_GT(counts[9], 400);
  EXPECT_EQ(count_destinations(*pattern, 10, 9, 1000)[0], 0);  // group 2 to group 1
}

TEST(GroupAdversarial, RefusesNetworksWithoutASecondGroup) {
  const auto error = [](const Shape& shape, const char* offset) {
    const auto made = make_pattern("group-adversarial", shape, {{"offset", offset}}, 1);
    return made ? std::string() : made.error().front().message;
  };
  EXPECT_EQ(error({.hosts = 8}, "1"), "group-adversarial needs a network with groups");
  EXPECT_EQ(error({.hosts = 8, .hosts_per_group = 8}, "1"),
            "group-adversarial needs two groups; all 8 hosts are in one");
  EXPECT_EQ(error({.hosts = 8, .hosts_per_group = 3}, "3"),
            "'offset' must be between 1 and 2, as there are 3 groups; got 3");
}

// Hosts that receive more than others tell which ones are hot.
std::vector<std::uint32_t> hot_hosts(const ParameterTexts& parameters, std::uint64_t seed) {
  const auto pattern = must_make("hotspot", grid_of_64(), parameters, seed);
  std::vector<std::int64_t> received(64);
  for (std::uint32_t source = 0; source < 64; ++source) {
    const auto counts = count_destinations(*pattern, 64, source, 2000);
    for (std::size_t i = 0; i < 64; ++i) received[i] += counts[i];
  }
  std::vector<std::uint32_t> hot;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (received[i] > 4000) hot.push_back(i);
  }
  return hot;
}

// P(hot) = f/k + (1-f)/63, P(other) = (1-f)/63; a hot source has k-1 hot destinations.
TEST(Hotspot, FollowsItsDistribution) {
  const ParameterTexts parameters = {{"fraction", "0.3"}, {"hot", "3"}};
  const auto pattern = must_make("hotspot", grid_of_64(), parameters);
  const auto hot = hot_hosts(parameters, 1);
  ASSERT_EQ(hot.size(), 3U);
  std::uint32_t cold = 0;
  while (std::count(hot.begin(), hot.end(), cold) > 0) ++cold;
  for (const std::uint32_t source : {cold, hot[0], hot[2]}) {
    const double others = source == cold ? 3 : 2;
    std::vector<double> expected(64, kDraws * 0.7 / 63);
    for (const std::uint32_t h : hot) expected[h] += kDraws * 0.3 / others;
    expected[source] = 0;
    EXPECT_LT(chi_square(count_destinations(*pattern, 64, source, kDraws), expected), kChiSquare62);
  }
}

TEST(Hotspot, TheSeedChoosesTheHotHosts) {
  const ParameterTexts parameters = {{"fraction", "0.3"}, {"hot", "3"}};
  EXPECT_EQ(hot_hosts(parameters, 5), hot_hosts(parameters, 5));
  EXPECT_NE(hot_hosts(parameters, 5), hot_hosts(parameters, 6));
}

TEST(Hotspot, TheOnlyHotHostSendsToAnybody) {
  const ParameterTexts parameters = {{"fraction", "1"}, {"hot", "1"}};
  const auto hot = hot_hosts(parameters, 1);
  ASSERT_EQ(hot.size(), 1U);
  const auto pattern = must_make("hotspot", grid_of_64(), parameters);
  std::vector<double> expected(64, kDraws / 63.0);
  expected[hot[0]] = 0;
  EXPECT_LT(chi_square(count_destinations(*pattern, 64, hot[0], kDraws), expected), kChiSquare62);
  EXPECT_EQ(count_destinations(*pattern, 64, hot[0] ^ 1U, 1000)[hot[0]], 1000);
}

TEST(Hotspot, RefusesMoreHotHostsThanHosts) {
  const auto made = make_pattern("hotspot", {.hosts = 8}, {{"fraction", "1"}, {"hot", "9"}}, 1);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().message,
            "'hot' must be at most the 8 hosts of the network, got 9");
  EXPECT_TRUE(make_pattern("hotspot", {.hosts = 8}, {{"fraction", "1"}, {"hot", "8"}}, 1));
}

std::vector<std::uint32_t> table_of(const Pattern& pattern, std::uint32_t hosts) {
  RandomStream stream(1, "test");
  std::vector<std::uint32_t> table;
  for (std::uint32_t i = 0; i < hosts; ++i) table.push_back(pattern.destination(i, 0, stream));
  return table;
}

TEST(Permutation, IsABijectionWithoutFixedPoints) {
  for (const std::uint32_t hosts : {2U, 3U, 5U, 64U, 30'000U}) {
    auto table = table_of(*must_make("permutation", {.hosts = hosts}), hosts);
    for (std::uint32_t i = 0; i < hosts; ++i) ASSERT_NE(table[i], i);
    std::sort(table.begin(), table.end());
    for (std::uint32_t i = 0; i < hosts; ++i) ASSERT_EQ(table[i], i);
  }
}

TEST(Permutation, IsTheSeedsAlone) {
  const auto table = [](std::uint64_t seed) {
    return table_of(*must_make("permutation", {.hosts = 1000}, {}, seed), 1000);
  };
  EXPECT_EQ(table(3), table(3));
  EXPECT_NE(table(3), table(4));
}

// 4 hosts have 9 permutations without fixed point.
TEST(Permutation, AllDerangementsAreEquallyLikely) {
  std::vector<std::int64_t> seen(256);
  constexpr int kSeeds = 9000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto table = table_of(*must_make("permutation", {.hosts = 4}, {}, seed), 4);
    ++seen[table[0] + 4 * table[1] + 16 * table[2] + 64 * table[3]];
  }
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 256 - 9);
  std::vector<double> expected;
  expected.reserve(seen.size());
  for (const std::int64_t count : seen) expected.push_back(count == 0 ? 0 : kSeeds / 9.0);
  EXPECT_LT(chi_square(seen, expected), 26.12);  // 8 degrees of freedom
}

}  // namespace
}  // namespace ebb::traffic
