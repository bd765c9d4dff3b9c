// SPDX-License-Identifier: Apache-2.0
//
// Patterns without chance: values worked out by hand, involutions, and the sizes they refuse.

#include "cases.hpp"

#include "ebb/traffic/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace ebb::traffic {
namespace {

std::uint32_t to(const Pattern& pattern, std::uint32_t source, std::uint64_t sequence = 0) {
  RandomStream stream(1, "test");
  return pattern.destination(source, sequence, stream);
}

std::string refusal(const std::string& pattern, std::uint32_t hosts) {
  const auto made = make_pattern(pattern, {.hosts = hosts}, {}, 1);
  return made ? std::string() : made.error().front().message;
}

// Applying it twice leads back, and `silent` hosts are those mapped to themselves.
void expect_involution(const std::string& name, std::uint32_t hosts, std::int64_t silent) {
  const auto pattern = must_make(name, {.hosts = hosts});
  std::int64_t quiet = 0;
  for (std::uint32_t i = 0; i < hosts; ++i) {
    EXPECT_EQ(to(*pattern, to(*pattern, i)), i) << name << " of " << i;
    EXPECT_EQ(pattern->sends(i), to(*pattern, i) != i) << name << " of " << i;
    quiet += pattern->sends(i) ? 0 : 1;
  }
  EXPECT_EQ(quiet, silent) << name << " on " << hosts;
}

TEST(BitComplement, FlipsEveryBit) {
  const auto pattern = must_make("bit-complement", {.hosts = 64});
  EXPECT_EQ(to(*pattern, 0), 63U);
  EXPECT_EQ(to(*pattern, 0b010001), 0b101110U);
  expect_involution("bit-complement", 64, 0);
  expect_involution("bit-complement", 2, 0);
}

TEST(BitReversal, ReversesTheBits) {
  const auto pattern = must_make("bit-reversal", {.hosts = 64});
  EXPECT_EQ(to(*pattern, 1), 32U);
  EXPECT_EQ(to(*pattern, 0b010011), 0b110010U);
  expect_involution("bit-reversal", 64, 8);  // 2^3 palindromes of 6 bits
  expect_involution("bit-reversal", 32, 8);  // and of 5 bits
}

TEST(Transpose, SwapsRowAndColumn) {
  const auto pattern = must_make("transpose", {.hosts = 36});
  EXPECT_EQ(to(*pattern, 1), 6U);
  EXPECT_EQ(to(*pattern, 2 * 6 + 5), 5U * 6 + 2);
  expect_involution("transpose", 36, 6);
  expect_involution("transpose", 4, 2);
}

TEST(SizedPatterns, RefuseOtherSizesAndNameTheNearest) {
  EXPECT_EQ(refusal("bit-complement", 1000),
            "bit-complement needs a power of two of hosts, not 1000; the nearest is 1024");
  EXPECT_EQ(refusal("bit-reversal", 600),
            "bit-reversal needs a power of two of hosts, not 600; the nearest is 512");
  EXPECT_EQ(refusal("bit-reversal", 2),
            "bit-reversal of 2 hosts sends nothing; the nearest size is 4");
  EXPECT_EQ(refusal("transpose", 1000),
            "transpose needs a square number of hosts, not 1000; the nearest is 1024");
  EXPECT_EQ(refusal("transpose", 970),
            "transpose needs a square number of hosts, not 970; the nearest is 961");
  EXPECT_EQ(refusal("transpose", 2),
            "transpose needs a square number of hosts, not 2; the nearest is 4");
  EXPECT_EQ(refusal("transpose", 4'294'967'295U),
            "transpose needs a square number of hosts, not 4294967295; the nearest is 4294967296");
  EXPECT_EQ(refusal("bit-complement", 4'294'967'295U),
            "bit-complement needs a power of two of hosts, not 4294967295; the nearest is "
            "4294967296");
}

// Coordinates move by ceil(k/2) - 1: 2 of 5, 1 of 4, 0 of 2; the place at the switch stays.
TEST(Tornado, GoesHalfWayRoundMinusOneInEachDimension) {
  const auto pattern =
      must_make("tornado", {.hosts = 120, .hosts_per_switch = 3, .dims = {5, 4, 2}});
  const auto host = [](std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t place) {
    return ((z * 4 + y) * 5 + x) * 3 + place;
  };
  EXPECT_EQ(to(*pattern, host(0, 0, 0, 0)), host(2, 1, 0, 0));
  EXPECT_EQ(to(*pattern, host(4, 3, 1, 2)), host(1, 0, 1, 2));
  std::set<std::uint32_t> reached;
  for (std::uint32_t i = 0; i < 120; ++i) reached.insert(to(*pattern, i));
  EXPECT_EQ(reached.size(), 120U);
}

TEST(Tornado, OnAFlatNetworkTheHostsAreOneRing) {
  const auto even = must_make("tornado", {.hosts = 8});
  EXPECT_EQ(to(*even, 0), 3U);
  EXPECT_EQ(to(*even, 6), 1U);
  const auto odd = must_make("tornado", {.hosts = 7});
  EXPECT_EQ(to(*odd, 0), 3U);
  EXPECT_EQ(to(*odd, 6), 2U);
}

TEST(Tornado, RefusesRingsOfTwo) {
  EXPECT_EQ(refusal("tornado", 2),
            "tornado needs 3 hosts or more: half way round 2 minus one is no way at all");
  const auto made =
      make_pattern("tornado", {.hosts = 8, .hosts_per_switch = 2, .dims = {2, 2}}, {}, 1);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().message,
            "tornado needs a dimension of 3 switches or more: half way round 2 minus one is no way "
            "at all");
}

TEST(AllToAll, VisitsEveryOtherHostOnceARound) {
  const auto pattern = must_make("all-to-all", {.hosts = 9});
  EXPECT_EQ(to(*pattern, 7, 0), 8U);
  EXPECT_EQ(to(*pattern, 7, 1), 0U);
  EXPECT_EQ(to(*pattern, 7, 8), 8U);  // the second round
  for (std::uint32_t source = 0; source < 9; ++source) {
    for (const std::uint64_t round : {std::uint64_t{0}, std::uint64_t{1} << 60U}) {
      std::set<std::uint32_t> reached;
      for (std::uint64_t n = 0; n < 8; ++n) reached.insert(to(*pattern, source, round + n));
      EXPECT_EQ(reached.size(), 8U);
      EXPECT_EQ(reached.count(source), 0U);
    }
  }
}

TEST(Shift, GoesAFixedDistanceOn) {
  const auto pattern = must_make("shift", {.hosts = 10}, {{"by", "3"}});
  EXPECT_EQ(to(*pattern, 0), 3U);
  EXPECT_EQ(to(*pattern, 8), 1U);
  const auto wide = must_make("shift", {.hosts = 4'294'967'295U}, {{"by", "1000000000"}});
  EXPECT_EQ(to(*wide, 4'000'000'000U), 705'032'705U);  // beyond 32 bits
}

TEST(Shift, RefusesADistanceThatLeadsHome) {
  const auto made = make_pattern("shift", {.hosts = 10}, {{"by", "10"}}, 1);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().front().message,
            "'by' must be between 1 and 9, as there are 10 hosts; got 10");
  EXPECT_FALSE(make_pattern("shift", {.hosts = 10}, {{"by", "0"}}, 1));
}

// 5 x 2 x 1 x 3 switches with 2 hosts each.
const Shape kGrid{.hosts = 60, .hosts_per_switch = 2, .dims = {5, 2, 1, 3}};

std::uint32_t host(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t place) {
  return ((z * 2 + y) * 5 + x) * 2 + place;
}

std::vector<std::uint32_t> round_of(const Pattern& pattern, std::uint32_t source, int messages) {
  RandomStream stream(1, "test");
  std::vector<std::uint32_t> destinations;
  destinations.reserve(static_cast<std::size_t>(messages));
  for (int n = 0; n < messages; ++n)
    destinations.push_back(pattern.destination(source, static_cast<std::uint64_t>(n), stream));
  return destinations;
}

TEST(Neighbour, VisitsUpAndDownOfEachDimensionInTurn) {
  const auto pattern = must_make("neighbour", kGrid);
  EXPECT_EQ(round_of(*pattern, host(0, 1, 2, 1), 6),
            (std::vector<std::uint32_t>{host(1, 1, 2, 1), host(4, 1, 2, 1),  // 5: both ways
                                        host(0, 0, 2, 1),                    // 2: one neighbour
                                        host(0, 1, 0, 1), host(0, 1, 1, 1),  // 3: both ways
                                        host(1, 1, 2, 1)}));                 // and again
}

// In each round every host receives as many messages as it sends.
TEST(Neighbour, ARoundLoadsEveryHostAlike) {
  const auto pattern = must_make("neighbour", kGrid);
  std::vector<int> received(60);
  for (std::uint32_t source = 0; source < 60; ++source) {
    for (const std::uint32_t to : round_of(*pattern, source, 5)) ++received.at(to);
  }
  EXPECT_EQ(received, std::vector<int>(60, 5));
}

TEST(Neighbour, RefusesNetworksWithoutNeighbours) {
  const auto flat = make_pattern("neighbour", {.hosts = 8}, {}, 1);
  ASSERT_FALSE(flat);
  EXPECT_EQ(flat.error().front().message, "neighbour needs a grid; this network is none");
  const auto lone =
      make_pattern("neighbour", {.hosts = 8, .hosts_per_switch = 8, .dims = {1, 1}}, {}, 1);
  ASSERT_FALSE(lone);
  EXPECT_EQ(lone.error().front().message, "neighbour needs a grid of two switches or more");
}

}  // namespace
}  // namespace ebb::traffic
