// SPDX-License-Identifier: Apache-2.0
#include "pattern_cases.hpp"

#include "ebb/traffic/pattern.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ebb::traffic {
namespace {

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
