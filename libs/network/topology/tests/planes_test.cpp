// SPDX-License-Identifier: Apache-2.0
#include "ebb/topology/family.hpp"
#include "ebb/topology/metrics.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ebb::topology {
namespace {

const RateTable kRates = {gigabits_per_second(100)};
const ParameterTexts kGrid = {{"hosts", "2"}, {"dims", "3x3"}};

ParameterTexts in_planes(ParameterTexts parameters, const std::string& planes) {
  parameters.emplace_back("planes", planes);
  return parameters;
}

// Two levels of switches with 512 ports, in eight planes, against three levels of switches with 64
// ports, eight times as fast: an eighth of the rate on eight times as many ports is the same chip.
// docs/models/topologies.md has the sources of the claim of 3/5 of the switches and 2/3 of the
// optics for each host.
TEST(Planes, NeedThreeFifthsOfTheSwitchesOfAnotherLevel) {
  const auto two =
      properties("clos", {{"levels", "2"}, {"ports", "512"}, {"hosts", "131072"}, {"planes", "8"}});
  const auto three = properties("clos", {{"ports", "64"}, {"hosts", "65536"}});
  ASSERT_TRUE(two && three);
  EXPECT_EQ(two->hosts, 131'072);
  EXPECT_EQ(two->switches, 6'144);
  EXPECT_EQ(three->switches, 5'120);
  EXPECT_EQ(5 * two->switches * three->hosts, 3 * three->switches * two->hosts);
  // Links, host links included, in eighths of the rate of a host.
  EXPECT_EQ(3 * two->links * three->hosts, 2 * 8 * three->links * two->hosts);
}

TEST(Planes, HaveEverythingButHostsSeveralTimes) {
  const auto one = properties("fbfly", kGrid);
  const auto three = properties("hyperx", in_planes(kGrid, "3"));
  ASSERT_TRUE(one && three);
  EXPECT_EQ(three->hosts, one->hosts);
  EXPECT_EQ(three->switches, 3 * one->switches);
  EXPECT_EQ(three->links, 3 * one->links);
  EXPECT_EQ(three->bisection_links, 3 * one->bisection_links);
  EXPECT_EQ(three->diameter, one->diameter);
  EXPECT_EQ(three->switch_ports, one->switch_ports);
}

TEST(Planes, AreCopiesOfOne) {
  const Graph one = build("fbfly", kGrid, kRates).value();
  const Graph three = build("fbfly", in_planes(kGrid, "3"), kRates).value();
  EXPECT_EQ(three.planes(), 3U);
  EXPECT_EQ(three.hosts_of_plane(), one.host_count());
  ASSERT_EQ(three.link_count(), 3 * one.link_count());
  for (std::uint32_t l = 0; l < three.link_count(); ++l) {
    const std::uint32_t plane = l / one.link_count();
    const Link& model = one.link(LinkId{l % one.link_count()});
    const Link& link = three.link(LinkId{l});
    const auto moved = [&](NodeId node) {
      if (!one.is_host(node)) return NodeId{index(node) + plane * one.switch_count()};
      return three.host_node(one.host_number(node) + plane * one.host_count());
    };
    EXPECT_EQ(link.a, moved(model.a));
    EXPECT_EQ(link.b, moved(model.b));
    EXPECT_EQ(three.plane_of(forward(LinkId{l})), plane);
  }
  EXPECT_EQ(three.name(three.host_node(2 * one.host_count() + 5)), "h5.2");
  EXPECT_EQ(one_plane(three), one);
}

TEST(Planes, AreAsFarAcrossAsOne) {
  const Graph one = build("clos", {{"ports", "4"}, {"hosts", "16"}}, kRates).value();
  const Graph two =
      build("clos", {{"ports", "4"}, {"hosts", "16"}, {"planes", "2"}}, kRates).value();
  EXPECT_TRUE(check(two).empty());
  EXPECT_TRUE(connected(two));
  EXPECT_EQ(distances(two).mean(), distances(one).mean());
  EXPECT_EQ(distances(two).unreachable_pairs, 0U);
}

TEST(Planes, AreAtLeastOne) {
  const auto none = properties("fbfly", in_planes(kGrid, "0"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().front().message, "'planes' must be between 1 and 64, got 0");
  EXPECT_EQ(build("fbfly", in_planes(kGrid, "1"), kRates).value(),
            build("fbfly", kGrid, kRates).value());
}

}  // namespace
}  // namespace ebb::topology
