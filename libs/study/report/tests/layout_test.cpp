// SPDX-License-Identifier: Apache-2.0
#include "ebb/report/layout.hpp"

#include "ebb/topology/family.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace ebb::report {
namespace {

topology::Graph network(std::string_view family, const ParameterTexts& parameters) {
  return topology::build(family, parameters, {gigabits_per_second(40)}).value();
}

std::size_t bent(const Layout& placed) {
  std::size_t count = 0;
  for (const Line& line : placed.lines)
    if (line.bend != 0) ++count;
  return count;
}

TEST(Layout, SwitchesOfAMeshStandOnAGrid) {
  const Layout placed = layout(network("mesh", {{"hosts", "1"}, {"dims", "3x2"}}));
  const std::vector<Point> expected = {{0, 0}, {0.5, 0}, {1, 0}, {0, 0.5}, {0.5, 0.5}, {1, 0.5}};
  EXPECT_EQ(placed.switches, expected);
  EXPECT_EQ(placed.lines.size(), 7U) << "3 x 2 has seven links between neighbours";
  EXPECT_EQ(bent(placed), 0U);
}

TEST(Layout, LinksLeadAroundSwitchesThatStandInTheirWay) {
  const Layout placed = layout(network("fbfly", {{"hosts", "1"}, {"dims", "4x2"}}));
  // Of the six links of a row of four, three pass over a switch; columns of two have none.
  EXPECT_EQ(bent(placed), 6U);
}

TEST(Layout, AClosStandsInLayersWithItsHostsBelow) {
  const auto graph = network("clos", {{"levels", "3"}, {"ports", "4"}, {"hosts", "16"}});
  const Layout placed = layout(graph);
  std::set<double> rows;
  for (const Point& place : placed.switches) rows.insert(place.y);
  EXPECT_EQ(rows.size(), 3U);
  for (const topology::Link& link : graph.links()) {
    if (graph.connects_switches(link)) continue;
    const auto bearer = graph.is_host(link.a) ? link.b : link.a;
    EXPECT_EQ(placed.switches[index(bearer)].y, *rows.rbegin());
  }
}

TEST(Layout, GroupsOfADragonflyStandTogether) {
  const Layout placed = layout(network("dragonfly", {{"p", "2"}, {"a", "4"}, {"h", "2"}}));
  ASSERT_EQ(placed.switches.size(), 36U);
  const auto distance = [&](std::size_t i, std::size_t j) {
    return std::hypot(placed.switches[i].x - placed.switches[j].x,
                      placed.switches[i].y - placed.switches[j].y);
  };
  for (std::size_t other = 4; other < 36; ++other)
    EXPECT_GT(distance(0, other), distance(0, 1)) << "switch " << other << " is of another group";
}

TEST(Layout, EveryFamilyFitsAndNoTwoSwitchesShareAPlace) {
  for (const auto& [family, parameters] : std::vector<std::pair<std::string, ParameterTexts>>{
           {"fbfly", {{"hosts", "2"}, {"dims", "8"}}},
           {"fbfly", {{"hosts", "2"}, {"dims", "3x3x3x2"}}},
           {"torus", {{"hosts", "1"}, {"dims", "4x4x4"}}},
           {"complete", {{"hosts", "2"}, {"switches", "6"}}},
           {"irregular", {{"hosts", "2"}, {"switches", "12"}, {"degree", "3"}}},
           {"tree", {{"hosts", "2"}, {"switches", "9"}}}}) {
    const Layout placed = layout(network(family, parameters));
    std::set<std::pair<double, double>> places;
    for (const auto& [x, y] : placed.switches) {
      places.emplace(x, y);
      EXPECT_TRUE(x >= 0 && x <= 1 && y >= 0 && y <= 1) << family << " " << x << " " << y;
    }
    EXPECT_EQ(places.size(), placed.switches.size()) << family;
  }
}

}  // namespace
}  // namespace ebb::report
