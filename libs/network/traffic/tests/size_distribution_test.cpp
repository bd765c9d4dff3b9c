// SPDX-License-Identifier: Apache-2.0
//
// Published sizes: means worked out from the points, and draws that follow them.
#include "ebb/traffic/size_distribution.hpp"

#include "cases.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace ebb::traffic {
namespace {

const SizeDistribution& sizes_of(const std::string& name) { return **find_size_distribution(name); }

double mean_bytes(const std::string& name) {
  return static_cast<double>(sizes_of(name).mean().count()) / 8;
}

// By hand: the middle of each stretch, weighted with its share.
TEST(SizeDistribution, HasThePublishedMean) {
  EXPECT_EQ(sizes_of("websearch").mean(), bytes(1'711'250));
  EXPECT_EQ(sizes_of("hadoop").mean(), bits(963'366));           // 120,420.75 B
  EXPECT_EQ(sizes_of("storage").mean(), bits(326'958));          // 40,869.8 B
  EXPECT_EQ(sizes_of("data-mining").mean(), bits(101'265'589));  // 12,658,198.6 B
  // In packets of 1500 bytes; taken for bytes it would be 624.
  EXPECT_EQ(sizes_of("cache").mean(), bits(7'485'060));  // 935,632.5 B
}

// E[S^2] / (2 E[S]) by hand, in MB: the stretches from 1 MB on give 13 + 4.0833 + 1.3 + 0.2333, the
// others 0.0436 together: 18.6603 / (2 * 1.71125) = 5.4522 MB.
TEST(SizeDistribution, HasTheMeanResidualOfItsStretches) {
  const MessageSizes sizes = sizes_of("websearch").extent();
  EXPECT_EQ(sizes.longest, bytes(30'000'000));
  EXPECT_EQ(sizes.mean_residual, bits(43'617'842));  // 5,452,230 B
}

// The mean that the simulation of Homa states counts every message as the largest of its stretch,
// or was taken of more points: ours are a part of them.
TEST(SizeDistribution, IsNearTheStatedMeanWherePointsWereLeftOut) {
  EXPECT_NEAR(mean_bytes("search-rpc"), 440.8, 0.04 * 440.8);
  EXPECT_NEAR(mean_bytes("web-server"), 68'937, 0.09 * 68'937);
}

// Of a million draws, as many between two points as the points say, and the mean.
TEST(SizeDistribution, DrawsFollowThePoints) {
  constexpr int kDraws = 1'000'000;
  for (const SizeDistribution& sizes : size_distributions()) {
    RandomStream stream(1, "test/sizes");
    const auto points = sizes.points();
    std::vector<std::int64_t> seen(points.size());
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
      const std::int64_t drawn = sizes.draw(stream).count() / 8;
      ASSERT_GE(drawn, 1);
      ASSERT_LE(drawn, points.back().bytes);
      sum += static_cast<double>(drawn);
      std::size_t stretch = 0;
      while (points[stretch].bytes < drawn) ++stretch;
      ++seen[stretch];
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      // A size that is rounded to a point counts on either side of it: much for few bytes.
      if (points[i].bytes < 64) continue;
      const auto below = i == 0 ? 0 : points[i - 1].of_a_million;
      const auto share = static_cast<double>(points[i].of_a_million - below);
      const double rounding = points[i].bytes < 1000 ? 0.03 * share : 0;
      EXPECT_NEAR(static_cast<double>(seen[i]), share, 5 * std::sqrt(share) + 20 + rounding)
          << sizes.name() << " to " << points[i].bytes;
    }
    const double mean = static_cast<double>(sizes.mean().count()) / 8;
    EXPECT_NEAR(sum / kDraws / mean, 1, 0.02) << sizes.name();
  }
}

TEST(SizeDistribution, GivesTheSameBytesEverywhere) {
  const auto first = [](const std::string& name) {
    RandomStream stream(1, "test/golden");
    std::vector<std::int64_t> drawn;
    for (int i = 0; i < 4; ++i) drawn.push_back(sizes_of(name).draw(stream).count() / 8);
    return drawn;
  };
  EXPECT_EQ(first("websearch"), (std::vector<std::int64_t>{89'579, 78'104, 13'442, 2'843'897}));
  EXPECT_EQ(first("data-mining"), (std::vector<std::int64_t>{1'374, 1'268, 204, 119'707}));
  EXPECT_EQ(first("cache"), (std::vector<std::int64_t>{48'326, 37'147, 1'500, 2'280'940}));
}

TEST(SizeDistribution, HasANameAndASource) {
  std::set<std::string> names;
  for (const SizeDistribution& sizes : size_distributions()) {
    EXPECT_TRUE(names.insert(sizes.name()).second) << sizes.name() << " is listed twice";
    EXPECT_FALSE(sizes.source().empty()) << sizes.name();
  }
  const auto unknown = find_size_distribution("web-search");
  ASSERT_FALSE(unknown);
  EXPECT_NE(to_string(unknown.error()).find("did you mean 'websearch'"), std::string::npos)
      << to_string(unknown.error());
}

}  // namespace
}  // namespace ebb::traffic
